import { z } from 'zod';
import { dueTrigger, type TriggerConditions } from '../../core/trigger.ts';

const against = z.object({ value: z.int(), threshold: z.int() });

export const triggerSchema = z
  .object({
    count: against,
    sizeBytes: against,
    ageMs: against,
    due: z.enum(['count', 'size', 'interval']).optional().meta({ description: 'The condition that is met.' }),
  })
  .meta({ id: 'TriggerState' });

export type TriggerView = z.input<typeof triggerSchema>;

interface Waiting {
  readonly count: number;
  readonly bytes: number;
  readonly ageMs: number;
}

/** What waits, beside the conditions that would move it. */
export function triggerView(state: Waiting, conditions: TriggerConditions): TriggerView {
  const due = dueTrigger(state, conditions);
  return {
    count: { value: state.count, threshold: conditions.count },
    sizeBytes: { value: state.bytes, threshold: conditions.sizeBytes },
    // An interval may be given to the nanosecond.
    ageMs: { value: Math.round(state.ageMs), threshold: Math.round(conditions.intervalMs) },
    ...(due === 'count' || due === 'size' || due === 'interval' ? { due } : {}),
  };
}

/** When the conditions are met at the latest: now, or when the interval is over. */
export function deadlineView(
  state: Waiting,
  { conditions, now }: { readonly conditions: TriggerConditions; readonly now: number },
): string {
  const rest = dueTrigger(state, conditions) === undefined ? Math.max(0, conditions.intervalMs - state.ageMs) : 0;
  return new Date(now + rest).toISOString();
}
