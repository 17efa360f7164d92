import { Readable } from 'node:stream';
import type { CsvContent } from '../../src/ports/csv-content.ts';

export type Rows = readonly (readonly string[])[];

/** A CSV object of staging, as `CsvContent` describes it. */
export function csvOf(rows: Rows): string {
  return rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',') + '\n').join('');
}

/** The same in a store that gives it as a stream. */
export function contentOf(csv: string | Buffer, name = 'content'): CsvContent {
  const open = async (): Promise<Readable> => Readable.from([Buffer.from(csv)]);
  return { name, bytes: Buffer.byteLength(csv), localPath: undefined, open };
}
