import { describe, expect, it } from 'vitest';
import { isLong } from '../support/long-tests.ts';
import { whyNoChaosServers } from './cluster/servers.ts';
import { clusterJobsRun } from './jobs/cluster-jobs-run.ts';

const missing = await whyNoChaosServers();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('jobs of a cluster whose workers, catalog and table store are killed', () => {
  it('D2, D3, J3, J10: end, one run at a time, and load each item once', async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const report = await clusterJobsRun({
      seed,
      items: 60_000,
      limit: 100,
      kills: isLong ? 8 : 4,
      workers: 2,
      lanes: 3,
      say: () => undefined,
    });
    expect(Object.values(report.kills)).toEqual(isLong ? [2, 2, 2, 2] : [1, 1, 1, 1]);
    expect(report.takenOver + report.givenUp).toBeGreaterThan(0);
  }, 600_000);
});
