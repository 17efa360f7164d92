import { describe, expect, it } from 'vitest';
import { isLong } from '../support/long-tests.ts';
import { clusterRun } from './cluster/cluster-run.ts';
import { groupsOfFaults } from './cluster/groups-of-faults.ts';
import { whyNoChaosServers } from './cluster/servers.ts';
import { seededRandom } from './random.ts';
import { seedOfRun, someOf } from './some-of.ts';

const missing = await whyNoChaosServers();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('a cluster whose processes, servers and ways fail', () => {
  it('D2, D3, D4: loses and doubles nothing', async () => {
    const seed = seedOfRun('crash test of a cluster');
    const lines: string[] = [];
    // One kind of those that are alike, in the long form each; `npm run chaos:cluster` has many of each, and each role apart.
    const kinds = someOf(groupsOfFaults, seededRandom(seed));
    const size = isLong
      ? { kills: 4, spread: ['ingest', 'map,admin', 'stage,import,work'] }
      : { kills: 1, spread: ['ingest,map', 'admin,stage,import,work'], pauseMs: 60 };
    const report = await clusterRun({ seed, kinds, ...size, say: (line) => lines.push(line) });
    expect(Math.min(...Object.values(report.taken)), lines.join('\n')).toBeGreaterThan(0);
    const { transactions, deadLetters, filtered, jobs, mended } = report;
    const { committed, aborted, heldOpen } = transactions;
    const counts = { committed, aborted, heldOpen, deadLetters, filtered, jobs: jobs.succeeded, mended: mended.rows };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
    for (const kind of kinds) expect(report.faults[kind], kind).toBeGreaterThan(0);
  }, 1_800_000);
});
