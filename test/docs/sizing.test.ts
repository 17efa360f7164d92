import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sizingPage } from '../bench/sizing-page.ts';
import { measureSizes } from '../bench/sizing.ts';

const guide = readFileSync(new URL('../../docs/guides/operating.md', import.meta.url), 'utf8');
const [, section = ''] = /<!-- sizing: .* -->\n\n([\s\S]*)\n<!-- end of sizing -->/.exec(guide) ?? [];

it('the table of sizes in the guide follows from the measures above it', () => {
  const measure = (name: string): number => Number(new RegExp(`^\\| ${name} +\\| (\\d+) `, 'm').exec(section)?.[1]);
  const [, machine = '', events = '', eventBytes = '', catalogMb = '', sinksMb = ''] =
    /^(Measured on .*) ([\d,]+) events of (\d+) bytes; .* catalog took (\d+) MB, .* sinks (\d+) MB\.$/m.exec(section) ??
    [];
  const tableBytes = measure('table');
  const result = {
    events: Number(events.replaceAll(',', '')) / 3,
    eventBytes: Number(eventBytes),
    single: { processorMicros: measure('processor time, one event a request'), tableBytes },
    batched: { processorMicros: measure('processor time, a hundred events a request'), tableBytes },
    logBytes: measure('log of sources'),
    stagingBytes: measure('staging, while it waits there'),
    catalogMb: Number(catalogMb),
    sinksMb: Number(sinksMb),
    memoryMb: measure('memory of the process, at most, for all of them'),
  };
  expect(section).toBe(sizingPage(result, machine));
});

it('the script measures what it says: every event is in its table, or waits in staging, and takes space', async () => {
  const { single, batched, ...sizes } = await measureSizes({ events: 300 });
  for (const { processorMicros } of [single, batched]) expect(processorMicros).toBeGreaterThan(0);
  // An event is stored as it came, with its headers; its row has most of it.
  expect(sizes.logBytes).toBeGreaterThan(sizes.eventBytes);
  expect(sizes.stagingBytes).toBeGreaterThan(0.8 * sizes.eventBytes);
  expect(sizes.memoryMb).toBeGreaterThan(30);
});
