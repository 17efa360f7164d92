import { wantsImport } from '../../core/progress/flush.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { sumSlices } from '../../core/progress/slice-sum.ts';
import type { Trigger, TriggerCause, TriggerState } from '../../core/trigger.ts';

/** All that is staged of a sink, as the trigger of step 2 sees it; `since` is when the oldest slice was staged. */
export function stagedState({ staged }: Pick<SinkProgress, 'staged'>, since: number): TriggerState {
  const { slices, rows, dead, bytes } = sumSlices(staged);
  return { count: rows + dead, bytes, slices, openedAt: slices === 0 ? undefined : since };
}

/** Why an import should start now; undefined while nothing asks for one. */
export function dueImport(
  progress: SinkProgress,
  trigger: Trigger,
  { since, now }: { readonly since: number; readonly now: number },
): TriggerCause | undefined {
  if (progress.staged.length === 0) return undefined;
  // It was due when the import was begun that was given up.
  if (progress.staged[0]?.together !== undefined) return 'retry';
  if (wantsImport(progress)) return 'flush';
  return trigger.due(stagedState(progress, since), now);
}
