import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { BackupFile } from './manifest.ts';

/** What the thread is told at its start. */
export interface BackupSpec {
  readonly dataDir: string;
  readonly to: string;
  /** 1 once it must stop. */
  readonly stop: Int32Array;
}

/** `hold`: hold the moment now. `write`: write what is held, and these files, which stand still. `end`: let go of it, and end. */
export type ToBackup =
  | { readonly kind: 'hold' }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'write';
      /** Where a file is, and its place in the backup. */
      readonly files: readonly { readonly from: string; readonly path: string }[];
      /** Already in the backup; they have no checksum yet. */
      readonly copied: readonly string[];
    };

export type FromBackup =
  | { readonly kind: 'held' }
  | { readonly kind: 'wrote'; readonly bytes: number }
  | { readonly kind: 'done'; readonly files: readonly BackupFile[] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };
