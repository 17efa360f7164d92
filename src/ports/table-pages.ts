import type { Readable } from 'node:stream';
import type { TableId } from '../core/table-id.ts';
import type { Waiting } from './waiting.ts';

export type ExportFormat = 'csv' | 'ndjson' | 'parquet';

/** Holds for a row by its cell of a column. Texts are compared byte for byte. */
export type CellCondition = CellEquals | CellAmong | CellWithin;

export interface CellEquals {
  readonly column: string;
  readonly value: string;
}

/** One of these, or, with `isNot`, none of these. */
export interface CellAmong {
  readonly column: string;
  readonly values: readonly string[];
  readonly isNot?: true;
}

/** From the one, before the other; absent: no bound. */
export interface CellWithin {
  readonly column: string;
  readonly from?: string;
  readonly before?: string;
}

export interface PreviewQuery {
  /** In this order; all when absent. */
  readonly columns?: readonly string[];
  /** Only rows for which each of these holds. */
  readonly where?: readonly CellCondition[];
  /** The last rows instead of the first. */
  readonly last?: boolean;
  readonly limit: number;
  /** Bytes of UTF-8 of all cells together; absent: no bound. */
  readonly maxBytes?: number;
}

export interface TablePreview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Present when it ends because of `maxBytes`: there is at least one row more, within the limit. */
  readonly isCut?: true;
}

export interface CountQuery {
  /** A group for each combination of the cells of these columns. */
  readonly by: readonly string[];
  readonly where?: readonly CellCondition[];
  /** Groups at most. */
  readonly limit: number;
}

export interface CountedRows {
  /** In the order of `by`. */
  readonly cells: readonly string[];
  readonly rows: number;
}

/** What is in tables, for people who look: a page of one, or all of it. Reading holds up no import. */
export interface TablePages {
  /**
   * The first rows in the order of loading, or the last ones in the same order, as far as the store keeps it; cells whole. At most
   * `limit` rows, and at most `maxBytes` of text in all, of which the first, or the last, are shown; never part of a row. All of it is
   * of one moment. `table.notFound`; `input.invalid` for a column that the table does not have, and a value that no cell can be.
   */
  preview(tableId: TableId, query: PreviewQuery, options: Waiting): Promise<TablePreview>;
  /** How many rows there are of each kind, most first, then by the cells. `table.notFound`; `input.invalid` as for a preview. */
  countRows(tableId: TableId, query: CountQuery, options: Waiting): Promise<readonly CountedRows[]>;
  /**
   * The whole table as a stream, rows in an order that nobody promises: `csv` with a header line, all cells quoted, `\n`;
   * `ndjson` one object a row, every value the text of the cell; `parquet` a file. `table.notFound`.
   */
  exportTable(tableId: TableId, format: ExportFormat, options: Waiting): Promise<Readable>;
}
