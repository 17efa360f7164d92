import { wantsImport } from '../../core/progress/flush.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { sumSlices } from '../../core/progress/slice-sum.ts';
import { dueTrigger, type TriggerCause, type TriggerConditions, type TriggerState } from '../../core/trigger.ts';

/** All that is staged of a sink, as the triggers of step 2 see it. */
function stagedState(progress: SinkProgress, ageMs: number): TriggerState {
  const { rows, dead, bytes } = sumSlices(progress.staged);
  return { count: rows + dead, bytes, ageMs };
}

/** Conditions of step 2; `slices` staged slices are enough by themselves. */
export interface ImportConditions extends TriggerConditions {
  readonly slices: number;
}

/** Why an import should start now; undefined while nothing asks for one. `ageMs` is how long something has been staged. */
export function dueImport(
  progress: SinkProgress,
  conditions: ImportConditions,
  ageMs: number,
): TriggerCause | undefined {
  if (progress.staged.length === 0) return undefined;
  // It was due when the import was begun that was given up.
  if (progress.staged[0]?.together !== undefined) return 'retry';
  if (wantsImport(progress)) return 'flush';
  if (progress.staged.length >= conditions.slices) return 'slices';
  return dueTrigger(stagedState(progress, ageMs), conditions);
}
