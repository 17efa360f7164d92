import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { TableId } from '../../core/table-id.ts';

/** Who may load into the table of a sink. */
export interface ImportRights {
  /** Rejects with `sink.tokenMissing` when the sink's token is gone or may not write the table's bucket. */
  check(progress: SinkProgress, tableId: TableId, options: { readonly signal: AbortSignal }): Promise<void>;
}
