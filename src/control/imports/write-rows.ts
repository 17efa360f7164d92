import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { crc32Checksum } from '../../core/checksum.ts';
import type { CsvRow } from '../../core/imports/csv-reader.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { hasRoom } from '../files/has-room.ts';

export interface RowsToWrite {
  readonly path: string;
  readonly columns: readonly string[];
  /** Some at a time. */
  readonly rows: AsyncIterable<readonly CsvRow[]>;
}

const writtenChars = 256 * 1024;
/** Bytes between two looks at the disk. */
const lookBytes = 64 * 1024 ** 2;

/** Writes rows to a new local file, as tables take them; each must have a cell for each column. */
export async function writeRows(
  { path, columns, rows }: RowsToWrite,
  { signal }: Waiting,
): Promise<{ readonly content: CsvContent; readonly rows: number }> {
  let [count, bytes, crc, waiting, looked] = [0, 0, 0, '', 0];
  await using file = await open(path, 'wx');
  const write = async (): Promise<void> => {
    signal.throwIfAborted();
    const chunk = Buffer.from(waiting);
    waiting = '';
    if (bytes >= looked) {
      looked = bytes + lookBytes;
      if (!(await hasRoom(dirname(path))))
        throw new MillraceError('file.noSpace', 'The disk that takes imports is full.');
    }
    await file.writeFile(chunk);
    crc = crc32(chunk, crc);
    bytes += chunk.length;
  };
  const add = ({ line, cells }: CsvRow): void => {
    if (cells.length !== columns.length)
      throw new MillraceError(
        'import.invalid',
        `Line ${line}: it has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and there are ${columns.length} columns.`,
      );
    const text = `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
    if (text.length * 3 > limits.rowBytes && Buffer.byteLength(text) > limits.rowBytes)
      throw new MillraceError('import.invalid', `Line ${line}: a row has at most ${limits.rowBytes} bytes.`);
    waiting += text;
    count += 1;
  };
  for await (const some of rows)
    for (const row of some) {
      add(row);
      if (waiting.length >= writtenChars) await write();
    }
  if (waiting !== '') await write();
  const content: CsvContent = {
    name: basename(path),
    bytes,
    checksum: crc32Checksum(crc),
    localPath: path,
    open: () => Promise.resolve(createReadStream(path)),
  };
  return { content, rows: count };
}
