import type { BranchId, SinkId, SourceId } from './ids.ts';

export type TaskOperation = 'create' | 'update' | 'delete' | 'disable' | 'enable' | 'undelete' | 'rollback' | 'flush';

export interface TaskOutputs {
  readonly url?: string;
  readonly projectId?: number;
  readonly branchId?: number;
  readonly sourceId?: string;
  readonly sinkId?: string;
}

/** The record of an asynchronous operation, collection `task`; a sum type by `status`. */
export type Task = TaskBase &
  (
    | { readonly status: 'processing' }
    | {
        readonly status: 'success';
        readonly finishedAt: string;
        readonly duration: number;
        readonly result: string;
        readonly outputs: TaskOutputs;
      }
    | {
        readonly status: 'error';
        readonly finishedAt: string;
        readonly duration: number;
        readonly error: string;
        readonly outputs: TaskOutputs;
      }
  );

export interface TaskBase {
  /** `{type}/{branchId}/{sourceId}[/{sinkId}]/{createdAt}_{5 random characters}` */
  readonly taskId: string;
  /** For example `api.create.source`. */
  readonly type: string;
  readonly branchId: BranchId;
  readonly sourceId: SourceId;
  readonly sinkId?: SinkId;
  readonly createdAt: string;
  /** The process that runs it; another start of the product takes over or ends what it finds unfinished. */
  readonly owner: string;
}
