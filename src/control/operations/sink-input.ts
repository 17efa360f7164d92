import type { Column } from '../../core/column.ts';
import type { Signal } from '../../core/event.ts';

/** A column as somebody asks for it; which fields its type needs is checked with the whole mapping. */
export interface ColumnInput {
  readonly type: Column['type'];
  readonly name: string;
  readonly path?: string | undefined;
  readonly defaultValue?: string | undefined;
  readonly rawString?: boolean | undefined;
  readonly template?: { readonly language: 'jsonnet'; readonly content: string } | undefined;
}

/** A sink as somebody asks for it. */
export interface SinkInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly allowedSignals?: readonly Signal[] | undefined;
  readonly table?:
    { readonly tableId: string; readonly mapping: { readonly columns: readonly ColumnInput[] } } | undefined;
  readonly backfill?: 'latest' | 'earliest' | undefined;
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
      }
    | undefined;
  /** Of the version that the change makes. */
  readonly changeDescription?: string | undefined;
}
