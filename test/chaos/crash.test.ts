import { describe, expect, it, test } from 'vitest';
import { crashPoints } from './crash-points.ts';
import { crashRun, type CrashReport } from './crash-run.ts';
import { defects, type Defect } from './planted.ts';
import { whyNoPowerCuts } from './power/power-supply.ts';

const noPowerCuts = whyNoPowerCuts();
if (noPowerCuts !== undefined) console.warn(`skipped, ${noPowerCuts}`);

interface Run {
  readonly kills: number;
  readonly cutsPower: boolean;
}

async function runShortly({ kills, cutsPower }: Run): Promise<CrashReport> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  const report = await crashRun({ seed, kills, cutsPower, connections: 4, say: () => undefined });
  const { random, ...named } = report.byPoint;
  expect(random).toBe(kills - crashPoints.length);
  expect(Math.min(...Object.values(named))).toBeGreaterThan(0);
  for (const count of [report.acknowledged, report.deadLetters, report.filtered]) expect(count).toBeGreaterThan(0);
  expect(Math.min(...Object.values(report.otlp.byFace))).toBeGreaterThan(20);
  expect(report.jobs.takenOver).toBeGreaterThan(0);
  for (const { inside, outside } of Object.values(report.certain))
    for (const count of [inside, outside]) expect(count).toBeGreaterThan(0);
  return report;
}

test('D2, D3, D4: SIGKILL at any moment loses and doubles nothing', { timeout: 900_000 }, async () => {
  const { disk } = await runShortly({ kills: crashPoints.length + 3, cutsPower: false });
  expect(disk.forgotten).toBe(0);
});

test.skipIf(noPowerCuts !== undefined)(
  'D1, D2, D3, D4: a cut of the power, which takes all that was not synced, loses and doubles nothing',
  { timeout: 900_000 },
  async () => {
    const { disk } = await runShortly({ kills: crashPoints.length, cutsPower: true });
    expect(disk.forgotten).toBeGreaterThan(0);
  },
);

/** What the crash test says of each defect. */
const noticed: Readonly<Record<Defect, RegExp>> = {
  loss: /D2: sink "all" lacks 1 events/,
  double: /D3: event \d+ is twice in sink "all"/,
  overreach: /event \d+ was sent while sink "switched" was away, and is there/,
  alteration: /event \d+ is altered in in\.c-chaos\.all/,
  denial: /D3: item 0 is \d+ times in in\.c-jobs\.\w+, and was loaded \d+ times/,
  tearing: /D1, in part: request \d+, which is acknowledged, has \d+ of \d+ records in sink "both"/,
};

describe('the crash test notices what it is there for', () => {
  it.each(defects)('a product with this defect fails it: %s', { timeout: 300_000 }, async (defect) => {
    const run = crashRun({ seed: 1, kills: 0, connections: 4, say: () => undefined, defect });
    await expect(run).rejects.toThrow(noticed[defect]);
  });
});
