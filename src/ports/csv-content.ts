import type { Readable } from 'node:stream';
import type { Checksum } from '../core/checksum.ts';
import type { Waiting } from './waiting.ts';

/** A CSV object of staging: no header, every cell quoted, `"` doubled, `,` and `\n`; UTF-8. */
export interface CsvContent {
  readonly name: string;
  readonly bytes: number;
  /** Of the bytes as they were staged; absent for an object of an earlier version of the product, which is loaded as it is. */
  readonly checksum?: Checksum;
  /** A path on this machine, when there is one; else `open` is read. */
  readonly localPath: string | undefined;
  open(options: Waiting): Promise<Readable>;
}
