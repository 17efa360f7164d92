import type { Partition } from '../core/offset.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { Telemetry } from './telemetry.ts';

export interface HolesFound {
  /** This many events that a sink was to take are gone: they are counted, and never delivered. */
  holesFound(progress: SinkProgress, event: { readonly partition: Partition; readonly count: number }): void;
}

/** The line alone: how many holes a sink has is a gauge, of its document. */
export function holesFound({ log }: Telemetry): HolesFound['holesFound'] {
  return ({ key, incarnation }, at) => log.error({ ...key, incarnation, ...at }, 'events counted as holes');
}
