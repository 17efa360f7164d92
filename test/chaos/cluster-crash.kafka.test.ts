import { describe, expect, it } from 'vitest';
import { clusterRun } from './cluster/cluster-run.ts';
import { whyNoChaosServers } from './cluster/servers.ts';

const missing = await whyNoChaosServers();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

describe.skipIf(missing !== undefined)('a cluster whose processes, servers and ways fail', () => {
  it('D2, D3, D4: loses and doubles nothing', async () => {
    const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
    const lines: string[] = [];
    const spread = ['ingest', 'map,admin', 'stage,import'];
    const report = await clusterRun({ seed, kills: 5, spread, say: (line) => lines.push(line) });
    expect(Math.min(...report.byDoor), lines.join('\n')).toBeGreaterThan(0);
    expect(Object.keys(report.faults).length).toBeGreaterThanOrEqual(7);
  }, 900_000);
});
