import { expect, test } from 'vitest';
import { parseDuration } from '../../core/settings/duration.ts';
import { Trigger } from '../../core/trigger.ts';
import { triggerSchema, triggerView } from './trigger-view.ts';

test('an interval that is given to the nanosecond is shown in whole milliseconds, as the description of the API says', () => {
  const parsed = parseDuration('30.0000007s');
  const intervalMs = parsed.kind === 'duration' ? parsed.ms : 0;
  expect(intervalMs).toBe(30_000.0007);
  const trigger = new Trigger({ count: 10, sizeBytes: 20, intervalMs, slices: 5 });
  const view = triggerView({ count: 1, bytes: 2, slices: 1, openedAt: -3.4 }, trigger, 0);
  expect(view.ageMs).toEqual({ value: 3, threshold: 30_000 });
  expect(triggerSchema.safeParse(view).success).toBe(true);
});
