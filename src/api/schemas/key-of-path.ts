import {
  maxIdLength,
  parseBranchId,
  type BranchId,
  type SinkId,
  type SinkKey,
  type SourceId,
  type SourceKey,
} from '../../core/ids.ts';
import { ApiError } from '../errors/api-error.ts';

/** The branch of a path; `badRequest` when it is neither `default` nor a positive integer. */
export function branchOf({ branchId }: { readonly branchId: string }): BranchId {
  return parseBranchId(branchId);
}

/** The source of a path. An id that none can have is `sourceNotFound`. */
export function sourceKeyOf(path: { readonly branchId: string; readonly sourceId: string }): SourceKey {
  const branchId = branchOf(path);
  if (isPossible(path.sourceId)) return { branchId, sourceId: path.sourceId as SourceId };
  throw new ApiError('sourceNotFound', `source "${path.sourceId.slice(0, maxIdLength)}" not found in the branch`);
}

/** The sink of a path. An id that none can have is `sinkNotFound`. */
export function sinkKeyOf(path: {
  readonly branchId: string;
  readonly sourceId: string;
  readonly sinkId: string;
}): SinkKey {
  const source = sourceKeyOf(path);
  if (isPossible(path.sinkId)) return { ...source, sinkId: path.sinkId as SinkId };
  throw new ApiError('sinkNotFound', `sink "${path.sinkId.slice(0, maxIdLength)}" not found in the source`);
}

/**
 * Ids of documents are made of ids: one with a slash or of any length must not reach them. From `Á` to `ž` is what a slug keeps beside
 * ASCII, the signs `×` and `÷` among it.
 */
function isPossible(id: string): boolean {
  return id.length <= maxIdLength && /^[a-z0-9Á-ž-]+$/.test(id);
}
