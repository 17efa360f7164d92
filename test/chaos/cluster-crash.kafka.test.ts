import { describe, expect, it } from 'vitest';
import { isLong } from '../support/long-tests.ts';
import { clusterRun } from './cluster/cluster-run.ts';
import { whyNoChaosServers } from './cluster/servers.ts';

const missing = await whyNoChaosServers();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('a cluster whose processes, servers and ways fail', () => {
  it('D2, D3, D4: loses and doubles nothing', async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const lines: string[] = [];
    // Each kind of fault comes once; `npm run chaos:cluster` has many of each, and each role apart.
    const size = isLong
      ? { kills: 4, spread: ['ingest', 'map,admin', 'stage,import,work'] }
      : { kills: 1, spread: ['ingest,map', 'admin,stage,import,work'], pauseMs: 60 };
    const report = await clusterRun({ seed, ...size, say: (line) => lines.push(line) });
    expect(Math.min(...Object.values(report.taken)), lines.join('\n')).toBeGreaterThan(0);
    const { committed, aborted, heldOpen } = report.transactions;
    for (const count of [
      committed,
      aborted,
      heldOpen,
      report.deadLetters,
      report.filtered,
      report.jobs.succeeded,
      report.mended.rows,
    ])
      expect(count).toBeGreaterThan(0);
    expect(Math.min(...Object.values(report.faults))).toBeGreaterThan(0);
  }, 900_000);
});
