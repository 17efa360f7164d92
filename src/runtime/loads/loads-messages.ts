import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { ErrorDetails } from '../../core/millrace-error.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { LoadRequest, LoadRow, TableLoad } from '../../ports/table-loads.ts';

/** A file of this machine: a thread of the same process can open it. */
export type SentContent = Omit<CsvContent, 'localPath' | 'open'> & { readonly localPath: string };
export type SentTable = Omit<TableLoad, 'rows'> & { readonly rows: readonly SentContent[] };
export type SentRequest = Omit<LoadRequest, 'tables'> & { readonly tables: readonly SentTable[] };

export type LoadsCall =
  | { readonly method: 'openLoad' | 'readLoad' | 'abandonLoad' | 'forgetLoad'; readonly load: string }
  | { readonly method: 'load'; readonly load: string; readonly request: SentRequest };

/** Everything in these survives a message between threads. */
export type ToLoads =
  | { readonly kind: 'call'; readonly id: number; readonly call: LoadsCall }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'abort'; readonly id: number };

export type FromLoads =
  | { readonly kind: 'done'; readonly id: number; readonly row: LoadRow | undefined }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: ErrorDetails;
    };
