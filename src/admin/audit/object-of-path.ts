import type { AuditObject } from '../../core/audit-entry.ts';
import { defaultBranch, type BranchId } from '../../core/ids.ts';
import { isTokenId } from '../../core/token.ts';
import { branchOf, sinkKeyOf, sourceKeyOf } from '../routes/key-of-path.ts';

type Params = Readonly<Record<string, string>>;

/** What a path leads to; undefined when it leads to no object, or to none that can be. */
export function objectOfPath({ branchId, sourceId, sinkId, tokenId }: Params): AuditObject | undefined {
  if (tokenId !== undefined) return isTokenId(tokenId) ? { kind: 'token', tokenId } : undefined;
  if (branchId === undefined || sourceId === undefined) return undefined;
  return possible(() =>
    sinkId === undefined
      ? { kind: 'source', ...sourceKeyOf({ branchId, sourceId }) }
      : { kind: 'sink', ...sinkKeyOf({ branchId, sourceId, sinkId }) },
  );
}

/** The branch in whose trail a change of the path stands: that of the path, else the default one. */
export function trailOfPath({ branchId }: Params): BranchId {
  return (branchId === undefined ? undefined : possible(() => branchOf({ branchId }))) ?? defaultBranch;
}

/** What a request names, undefined when it names nothing that can be: its handler is about to say so. */
export function possible<Value>(name: () => Value): Value | undefined {
  try {
    return name();
  } catch {
    return undefined;
  }
}
