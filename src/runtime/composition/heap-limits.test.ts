import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { heapLimitsOf } from './heap-limits.ts';
import { pulseLimits } from './pulse.ts';
import type { ThreadSpec } from './thread-messages.ts';
import { ThreadService } from './thread-service.ts';

const entry = new URL(
  'data:text/javascript,import { resourceLimits } from "node:worker_threads"; throw new Error(JSON.stringify(resourceLimits))',
);

/** What a thread of the role finds that its heap may take. */
async function limitsInside(role: ThreadSpec['role']): Promise<string> {
  const { logLevel, templates, quick } = parseConfig({}, '/');
  const platform = { kind: 'embedded', dataDir: '/nowhere' } as const;
  const spec = { role, thread: role, instance: role, platform, logLevel, templates, quick };
  const onBroken = (): void => expect.fail('a thread that dies is replaced');
  await using service = new ThreadService(spec, { entry, pulse: pulseLimits, onBroken });
  return await service.run(new AbortController().signal).then(
    () => expect.fail('it throws'),
    (thrown: unknown) => String(thrown),
  );
}

it.each(['ingest', 'map', 'stage', 'work'] as const)(
  'a thread of the role %s has the heap of its role',
  async (role) => {
    const { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: old } = heapLimitsOf(role);
    const told = await limitsInside(role);
    expect(told).toContain(`"maxYoungGenerationSizeMb":${young}`);
    expect(told).toContain(`"maxOldGenerationSizeMb":${old}`);
  },
);

it('a thread collects before its heap has grown to four times, on a machine of any size', () => {
  const gigabytes = (count: number): number => count * 1024 ** 3;
  for (const role of ['ingest', 'map', 'stage'] as const) {
    expect(heapLimitsOf(role, gigabytes(4)).maxOldGenerationSizeMb).toBeLessThan(2048);
    expect(heapLimitsOf(role, gigabytes(0.5)).maxOldGenerationSizeMb).toBe(512);
  }
});

it('the young generation of a stage is its own, whatever the process was started with', () => {
  // What it makes stays alive for a while, so that its young generation grows as far as it may.
  const work = `
    import { getHeapSpaceStatistics } from 'node:v8';
    const held = [];
    for (let at = 0; at < 3_000_000; at += 1) held[at % 100_000] = { at };
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    console.log(young.space_size / 1024 / 1024);
  `;
  const script = `
    import { Worker } from 'node:worker_threads';
    import { heapLimitsOf, letThreadsDiffer } from ${JSON.stringify(new URL('heap-limits.ts', import.meta.url).href)};
    letThreadsDiffer();
    for (const role of ['ingest', 'stage']) await new Promise((resolve) =>
      new Worker(${JSON.stringify(work)}, { eval: true, resourceLimits: heapLimitsOf(role) }).on('exit', resolve));
  `;
  const args = ['--max-semi-space-size=8', '--input-type=module', '--eval', script];
  const [ingest = 0, stage = 0] = execFileSync(process.execPath, args, { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);
  expect(stage).toBeLessThanOrEqual(9);
  expect(ingest).toBeGreaterThan(12);
});
