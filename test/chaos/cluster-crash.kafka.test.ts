import { describe, expect, it } from 'vitest';
import { clusterRun } from './cluster/cluster-run.ts';
import { whyNoChaosServers } from './cluster/servers.ts';

const missing = await whyNoChaosServers();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('a cluster whose processes, servers and ways fail', () => {
  it('D2, D3, D4: loses and doubles nothing', async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const lines: string[] = [];
    const spread = ['ingest', 'map,admin', 'stage,import,work'];
    const report = await clusterRun({ seed, kills: 4, spread, say: (line) => lines.push(line) });
    expect(Math.min(...Object.values(report.taken)), lines.join('\n')).toBeGreaterThan(0);
    const { committed, aborted, heldOpen } = report.transactions;
    for (const count of [committed, aborted, heldOpen, report.deadLetters, report.filtered, report.jobs.succeeded])
      expect(count).toBeGreaterThan(0);
    expect(Math.min(...Object.values(report.faults))).toBeGreaterThan(0);
  }, 900_000);
});
