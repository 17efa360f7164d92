import { expect, test } from 'vitest';
import { mappingOf } from '../../../test/support/mapping-fixture.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import { BatchEvents } from './batch-events.ts';

const id = '0192f0c4-7d5a-7cc3-9d5b-2f6a3a0b1c2d';

/** How often the headers of a record are read by two mappings of the event, for its id. */
function reads(isShared: boolean): number {
  let count = 0;
  const value = Buffer.from('{}');
  const record = {
    offset: 7,
    value,
    timestamp: 5,
    memory: value,
    valueStart: 0,
    valueEnd: value.length,
    get headers() {
      count += 1;
      return ['millrace-id', id];
    },
  };
  const at = { topic: 'source.1.shop', identity: 'a', partition: 0, first: 0, next: 8, missing: 'none' } as const;
  const batch: RecordBatch = { ...at, records: [record] };
  const events = new BatchEvents(batch, { lines: new LineWriter(), isShared });
  const compiled = compileMapping(mappingOf([{ type: 'uuid', name: 'id' }]), { templates: createTemplates() });
  const sink = { progress: progressOf(0), compiled, maxLineBytes: 1000 };
  for (const mapped of [events.map(0, sink), events.map(0, sink)]) {
    expect(mapped.kind === 'row' && Buffer.from(mapped.line).toString()).toBe(`"${id}"\n`);
  }
  return count;
}

test('what was read of an event is kept for the next sink, and not when there is one alone', () => {
  expect([reads(true), reads(false)]).toEqual([1, 2]);
});
