import type { ColumnRename } from '../../core/column-change.ts';
import type { ColumnInput } from '../../core/column.ts';
import type { Signal } from '../../core/event.ts';

/** A sink as somebody asks for it. */
export interface SinkInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly allowedSignals?: readonly Signal[] | undefined;
  readonly table?:
    { readonly tableId: string; readonly mapping: { readonly columns: readonly ColumnInput[] } } | undefined;
  /** As `parseBackfill` reads it. */
  readonly backfill?: string | undefined;
}

/** What somebody asks to change of a sink; what is absent stays. */
export interface SinkChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly allowedSignals?: readonly Signal[] | undefined;
  readonly table?:
    | {
        readonly tableId?: string | undefined;
        readonly mapping?: { readonly columns: readonly ColumnInput[] } | undefined;
        /** True: a table that has other columns gets those of the mapping. */
        readonly alter?: boolean | undefined;
        /** Columns that keep their cells under another name. */
        readonly renamed?: readonly ColumnRename[] | undefined;
      }
    | undefined;
  /** Of the version that the change makes. */
  readonly changeDescription?: string | undefined;
}
