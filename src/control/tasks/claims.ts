import { sinkDocumentId, sourceDocumentId, sourcePrefix } from '../../documents/document-id.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { LockClaim } from './object-locks.ts';

/** The source alone: its sinks may change meanwhile. */
export function sourceClaims(key: SourceKey): readonly LockClaim[] {
  return [{ key: `source ${sourceDocumentId(key)}`, mode: 'exclusive' }];
}

/** The source with all its sinks, for what cascades. */
export function cascadeClaims(key: SourceKey): readonly LockClaim[] {
  return [...sourceClaims(key), { key: `sinks ${sourcePrefix(key)}`, mode: 'exclusive' }];
}

/** One sink; other sinks of the source may change meanwhile. */
export function sinkClaims(key: SinkKey): readonly LockClaim[] {
  return [
    { key: `sink ${sinkDocumentId(key)}`, mode: 'exclusive' },
    { key: `sinks ${sourcePrefix(key)}`, mode: 'shared' },
  ];
}
