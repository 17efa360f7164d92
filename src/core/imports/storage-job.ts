import type { Stamp } from '../source.ts';
import type { TableId } from '../table-id.ts';

/** How the lines of a file are read. */
export interface CsvForm {
  /** One character. */
  readonly delimiter: string;
  /** One character; empty: cells are never enclosed. */
  readonly enclosure: string;
  /** One character before one that stands for itself; empty: an enclosure is doubled. */
  readonly escapedBy: string;
  /** Of each line, in order; absent: the first line has them, or, without a header, the table. */
  readonly columns?: readonly string[];
  readonly hasHeader: boolean;
  /** Lines before the header, or before the first row. */
  readonly ignoredLines: number;
}

export interface StorageJobRequest {
  readonly operation: 'tableCreate' | 'tableImport';
  readonly tableId: TableId;
  readonly fileId: string;
  readonly form: CsvForm;
  /** Of a table that is made. */
  readonly primaryKey: readonly string[];
  /** False: the rows that were there go. */
  readonly isIncremental: boolean;
}

/** What was loaded. */
export interface StorageJobResult {
  readonly rows: number;
  /** Of the CSV that the table took. */
  readonly bytes: number;
  readonly columns: readonly string[];
}

interface StorageJobBase {
  /** A number as text. */
  readonly jobId: string;
  readonly created: Stamp;
  readonly request: StorageJobRequest;
}

interface Ended {
  readonly startedAt?: string;
  readonly endedAt: string;
}

/** A table that is loaded from a file, collection `storage-job`. */
export type StorageJob = StorageJobBase &
  (
    | { readonly status: 'waiting' }
    | { readonly status: 'processing'; readonly startedAt: string }
    | ({ readonly status: 'success'; readonly result: StorageJobResult } & Ended)
    | ({ readonly status: 'error'; readonly error: { readonly code: string; readonly message: string } } & Ended)
  );

/** Id of its row in the ledger of loads. */
export function storageLoad(jobId: string): string {
  return `storage-job/${jobId}`;
}
