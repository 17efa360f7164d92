import { expect, it } from 'vitest';
import { fuzzRun } from '../fuzz/fuzz-run.ts';

it(
  'D2, D3, D8, D9: hostile requests harm neither the process nor the events of others',
  { timeout: 300_000 },
  async () => {
    const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const report = await fuzzRun({ seed, requests: 4000, connections: 8, rate: Infinity, say: () => undefined });
    // Each kind of end was reached: taken, wrong, elsewhere, too large.
    for (const status of ['200', '400', '404', '405', '413'])
      expect([status, report.statuses[status]]).not.toEqual([status, undefined]);
    expect(report.others.events).toBeGreaterThan(0);
  },
);
