import type { Readable } from 'node:stream';
import type { Checksum } from '../core/checksum.ts';
import type { Compressed } from '../core/progress/sink-progress.ts';
import type { Waiting } from './waiting.ts';

/** A CSV object of staging: no header, every cell quoted, `"` doubled, `,` and `\n`; UTF-8. */
export interface CsvContent {
  readonly name: string;
  /** Of the CSV, before compression. */
  readonly bytes: number;
  /** Of the CSV, before compression; absent for an object of an earlier version of the product, which is loaded as it is. */
  readonly checksum?: Checksum;
  /** How its path, or what `open` gives, was made of the CSV; absent: it is the CSV. */
  readonly compressed?: Compressed;
  /** A path on this machine, when there is one; else `open` is read. */
  readonly localPath: string | undefined;
  open(options: Waiting): Promise<Readable>;
}
