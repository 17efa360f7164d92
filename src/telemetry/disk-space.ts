import type { Telemetry } from './telemetry.ts';

/** What a look at the disk of the data folder has found. */
export function diskMeasured(
  { metrics }: Telemetry,
  { freeBytes, sizeBytes }: { readonly freeBytes: number; readonly sizeBytes: number },
): void {
  metrics.gauge('millrace_disk_free_bytes').set({}, freeBytes);
  metrics.gauge('millrace_disk_size_bytes').set({}, sizeBytes);
}
