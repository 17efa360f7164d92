import type { Telemetry } from './telemetry.ts';

/** What a member of a group tells of its share; quick, and never throws. */
export interface GroupObserver {
  /** The process holds so many partitions from now on, others than before. */
  shareChanged(group: string, partitions: number): void;
}

/** Counts shares and their changes; the first one is none. */
export function observeGroups({ metrics }: Telemetry): GroupObserver {
  const held = metrics.gauge('millrace_group_partitions');
  const rebalances = metrics.counter('millrace_group_rebalances_total');
  const known = new Set<string>();
  return {
    shareChanged: (group, partitions) => {
      held.set({ group }, partitions);
      rebalances.inc({ group }, known.has(group) ? 1 : 0);
      known.add(group);
    },
  };
}
