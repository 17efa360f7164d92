import type { SinkKey, SourceKey } from '../core/ids.ts';

/** Labels that name a source. */
export function sourceLabels({ branchId, sourceId }: SourceKey) {
  return { branch: String(branchId), source: sourceId };
}

/** Labels that name a sink. */
export function sinkLabels(key: SinkKey) {
  return { ...sourceLabels(key), sink: key.sinkId };
}
