import { z } from 'zod';
import type { MetCondition, Trigger, TriggerState } from '../../core/trigger.ts';

const against = z.object({ value: z.int(), threshold: z.int() });

/** Conditions as they are shown; that of the operator is not. */
const dueNames = {
  count: 'count',
  size: 'size',
  interval: 'interval',
  slices: undefined,
} as const satisfies Readonly<Record<MetCondition, string | undefined>>;

export const triggerSchema = z
  .object({
    count: against,
    sizeBytes: against,
    ageMs: against,
    due: z.enum(['count', 'size', 'interval']).optional().meta({ description: 'The condition that is met.' }),
  })
  .meta({ id: 'TriggerState' });

export type TriggerView = z.input<typeof triggerSchema>;

/** What waits, beside the conditions that would move it. */
export function triggerView(state: TriggerState, trigger: Trigger, now: number): TriggerView {
  const met = trigger.due(state, now);
  const due = met === undefined ? undefined : dueNames[met];
  return {
    count: { value: state.count, threshold: trigger.count },
    sizeBytes: { value: state.bytes, threshold: trigger.sizeBytes },
    // An interval may be given to the nanosecond.
    ageMs: { value: Math.round(now - (state.openedAt ?? now)), threshold: Math.round(trigger.intervalMs) },
    ...(due === undefined ? {} : { due }),
  };
}
