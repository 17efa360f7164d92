import { expect, test } from 'vitest';
import { hourly } from '../../../test/support/any-schedule.ts';
import { claimRun, markMade, passRun, redefined } from './decide-run.ts';
import { dueRun, nextRun } from './due-run.ts';
import type { Schedule } from './schedule.ts';

const now = Date.parse('2026-01-01T02:00:30.000Z');

function due(schedule: Schedule) {
  const found = dueRun(schedule, { now });
  if (found === undefined) throw new Error('nothing is due');
  return found;
}

test('S3: a planned time is decided on once', () => {
  const before = hourly();
  const decision = { due: due(before), now, jobId: '7' };
  const claimed = claimRun(before, decision);
  expect(claimed).toMatchObject({
    decidedUntil: '2026-01-01T02:00:00.000Z',
    lastRun: { plannedFor: '2026-01-01T02:00:00.000Z', at: '2026-01-01T02:00:30.000Z', jobId: '7', isMade: false },
    missed: 1,
    lastMissed: { plannedFor: '2026-01-01T01:00:00.000Z', reason: 'nobodyRan' },
  });
  if (claimed === undefined) throw new Error('not decided');
  expect(claimRun(claimed, { ...decision, jobId: '8' })).toBeUndefined();
  expect(passRun(claimed, { ...decision, reason: undefined })).toBeUndefined();
  expect(dueRun(claimed, { now })).toBeUndefined();
});

test('S3: while a job is still to be made nothing else is decided', () => {
  const lastRun = { plannedFor: '2026-01-01T00:00:00.000Z', at: '2026-01-01T00:00:00.000Z', jobId: '6', isMade: false };
  const before = hourly({ lastRun });
  expect(claimRun(before, { due: due(before), now, jobId: '7' })).toBeUndefined();
  const made = markMade(before, '6');
  if (made === undefined) throw new Error('not made');
  expect(made.lastRun?.isMade).toBe(true);
  expect(markMade(made, '6')).toBeUndefined();
  expect(markMade(before, '7')).toBeUndefined();
  expect(claimRun(made, { due: due(made), now, jobId: '7' })?.lastRun?.jobId).toBe('7');
});

test('S3: what was planned otherwise meanwhile is not decided on', () => {
  const decision = { due: due(hourly()), now, jobId: '7' };
  expect(claimRun(hourly({ isEnabled: false }), decision)).toBeUndefined();
  expect(claimRun(hourly({ cron: '30 * * * *' }), decision)).toBeUndefined();
});

test('S5: where too many jobs wait a planned time is missed, and says why', () => {
  const before = hourly();
  expect(passRun(before, { due: due(before), now, reason: 'tooManyJobs' })).toMatchObject({
    decidedUntil: '2026-01-01T02:00:00.000Z',
    missed: 2,
    lastMissed: { plannedFor: '2026-01-01T02:00:00.000Z', reason: 'tooManyJobs' },
  });
  expect(passRun(before, { due: due(before), now, reason: undefined })).toMatchObject({ missed: 0 });
});

test('S6: another definition runs nothing again of what a clock that went back has behind it', () => {
  const ahead = hourly({ decidedUntil: '2026-01-01T03:00:00.000Z' });
  const { cron, timeZone, isEnabled, variableValues } = hourly({ cron: '*/10 * * * *' });
  const after = redefined(ahead, { definition: { cron, timeZone, isEnabled, variableValues }, now });
  expect(nextRun(after)).toBe(Date.parse('2026-01-01T03:10:00.000Z'));
});
