import type { BranchId, SinkId, SourceId } from '../core/ids.ts';

/** Where people find an object: what a task says of what it made. */
export interface ObjectAddresses {
  readonly projectId: number;
  source(branchId: BranchId, sourceId: SourceId): string;
  sink(source: { readonly branchId: BranchId; readonly sourceId: SourceId }, sinkId: SinkId): string;
}
