import type { IngestObserver } from '../../src/telemetry/observe-ingest.ts';

/** Counts nothing. */
export const silentIngest: IngestObserver = {
  stored: () => undefined,
  accepted: () => undefined,
  appendFailed: () => undefined,
  refused: () => undefined,
  cut: () => undefined,
  crowded: () => undefined,
  failed: () => undefined,
};
