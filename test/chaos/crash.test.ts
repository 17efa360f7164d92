import { describe, expect, it, test } from 'vitest';
import { isLong, leftOut } from '../support/long-tests.ts';
import type { CrashPoint } from './crash-points.ts';
import { crashRun, type CrashReport } from './crash-run.ts';
import { pointsOfCuts, pointsOfKills } from './groups-of-points.ts';
import { defects, type Defect } from './planted.ts';
import { whyNoPowerCuts } from './power/power-supply.ts';
import { seededRandom } from './random.ts';
import { seedOfRun, someOf } from './some-of.ts';

const noPowerCuts = whyNoPowerCuts();
if (noPowerCuts !== undefined) console.warn(`skipped, ${noPowerCuts}`);

interface Run {
  readonly name: string;
  readonly groups: readonly (readonly CrashPoint[])[];
  readonly atRandom: number;
  readonly cutsPower: boolean;
}

const pauseMs = isLong ? 5 : 50;
const allPoints = [...pointsOfKills, ...pointsOfCuts];

/** In the long form each point, else one of those that are alike. */
async function runThrough({ name, groups, atRandom, cutsPower }: Run): Promise<CrashReport> {
  const seed = seedOfRun(name);
  const points = someOf(groups, seededRandom(seed));
  const kills = points.length + atRandom;
  const report = await crashRun({ seed, kills, points, cutsPower, connections: 4, pauseMs, say: () => undefined });
  expect(report.byPoint.random).toBe(atRandom);
  for (const point of points) expect(report.byPoint[point], point).toBeGreaterThan(0);
  for (const count of [report.acknowledged, report.deadLetters, report.filtered]) expect(count).toBeGreaterThan(0);
  expect(Math.min(...Object.values(report.otlp.byFace))).toBeGreaterThan(20);
  expect(report.mended.rows).toBeGreaterThan(0);
  expect(report.looks).toBeGreaterThan(kills);
  expect(report.jobs.takenOver).toBeGreaterThan(0);
  for (const { inside, outside } of Object.values(report.certain))
    for (const count of [inside, outside]) expect(count).toBeGreaterThan(0);
  return report;
}

test('D2, D3, D4: SIGKILL at any moment loses and doubles nothing', { timeout: 900_000 }, async () => {
  const groups = isLong || noPowerCuts !== undefined ? allPoints : pointsOfKills;
  const { disk } = await runThrough({ name: 'kills', groups, atRandom: isLong ? 3 : 1, cutsPower: false });
  expect(disk.forgotten).toBe(0);
});

test.skipIf(noPowerCuts !== undefined)(
  'D1, D2, D3, D4: a cut of the power, which takes all that was not synced, loses and doubles nothing',
  { timeout: 900_000 },
  async () => {
    const groups = isLong ? allPoints : pointsOfCuts;
    const { disk } = await runThrough({ name: 'cuts of the power', groups, atRandom: 0, cutsPower: true });
    expect(disk.forgotten).toBeGreaterThan(0);
  },
);

/** What the crash test says of each defect. */
const noticed: Readonly<Record<Defect, RegExp>> = {
  // Once in each thread that appends.
  loss: /D2: sink "all" lacks [123] events/,
  double: /D3: event \d+ is twice in sink "all"/,
  overreach: /event \d+ was sent while sink "switched" was away, and is there/,
  alteration: /event \d+ is altered in in\.c-chaos\.all/,
  miscount: /D4: sink "mended"/,
  denial: /D3: item 0 is \d+ times in in\.c-jobs\.\w+, and was loaded \d+ times/,
  tearing: /D1, in part: request \d+, which is acknowledged, has \d+ of \d+ records in sink "both"/,
};

/** What the judges of events, jobs and telemetry notice, tests of their own hold; that they are asked, this one. */
const short: Defect = 'double';

describe('the crash test notices what it is there for', () => {
  for (const defect of defects) {
    const title = `a product with this defect fails it: ${defect}`;
    it.skipIf(defect !== short && leftOut(title))(title, async () => {
      const run = crashRun({ seed: 1, kills: 0, connections: 4, pauseMs, say: () => undefined, defect });
      await expect(run).rejects.toThrow(noticed[defect]);
    });
  }
});
