import { afterAll, describe, expect, test } from 'vitest';
import { FastClock } from '../../support/fast-clock.ts';
import { schedulesRun } from './schedules-run.ts';

const clock = FastClock.build(60);
const kills = Number(process.env['MILLRACE_TEST_KILLS'] ?? 6);

describe.skipIf(clock === undefined)('schedules of a process that is killed', () => {
  afterAll(() => clock?.[Symbol.dispose]());

  test(
    'S3, S4, S5: again and again have one job for a planned time, or tell that there is none, and never two at once',
    { timeout: 600_000 },
    async () => {
      if (clock === undefined) throw new Error('it is skipped');
      const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
      const report = await schedulesRun({ seed, kills, clock });
      if (process.env['MILLRACE_TEST_KILLS'] !== undefined) console.log(report);
      expect(report.kills).toBe(kills);
      expect(report.jobs).toBeGreaterThan(kills);
      expect(report.missed).toBeGreaterThan(0);
    },
  );
});
