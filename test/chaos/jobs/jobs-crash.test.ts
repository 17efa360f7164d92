import { expect, test } from 'vitest';
import { jobsRun } from './jobs-run.ts';

test(
  'D2, D3, J10: the table of a job whose process is killed again and again has each item once',
  { timeout: 600_000 },
  async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const report = await jobsRun({ seed, items: 20_000, limit: 200, kills: 5, say: () => undefined });
    expect(report.kills).toBe(5);
    // The thread of jobs is among it. The long run has 50 times as many items, and may take no more.
    expect(report.mostBytes - report.idleBytes).toBeLessThan(200e6);
  },
);
