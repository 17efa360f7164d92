import { giveBackNames } from '../../telemetry/give-back-names.ts';
import type { KnownNames } from '../../telemetry/labels.ts';
import { snapshotMetrics, type MetricsSnapshot } from '../../telemetry/metrics-snapshot.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/** The metrics of this thread, for a page. Names of sources and sinks that are gone are given to others first, where there are too few. */
export async function metricsNow({ metrics }: Telemetry, known?: () => KnownNames): Promise<MetricsSnapshot> {
  if (known !== undefined) await giveBackNames(metrics, known);
  return snapshotMetrics(metrics.registry);
}
