import { expect, test } from 'vitest';
import { crashRun } from './crash-run.ts';

test('D2, D3, D4: SIGKILL at any moment loses and doubles nothing', { timeout: 900_000 }, async () => {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  const lines: string[] = [];
  const report = await crashRun({ seed, kills: 6, connections: 8, say: (line) => lines.push(line) });
  expect(report.acknowledged, lines.join('\n')).toBeGreaterThan(0);
});
