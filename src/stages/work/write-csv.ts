import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { crc32Checksum } from '../../core/checksum.ts';
import { limits } from '../../core/limits.ts';
import type { TableId } from '../../core/table-id.ts';
import { csvLine } from '../../extractor/tables/output-files.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { diskFault, type DiskShare } from './job-disk.ts';
import { JobFault } from './job-fault.ts';

const writtenChars = 256 * 1024;

export interface CsvRows {
  readonly path: string;
  readonly rows: AsyncIterable<readonly string[]>;
  /** For texts. */
  readonly tableId: TableId;
  readonly disk: DiskShare;
}

export interface WrittenCsv {
  readonly content: CsvContent;
  readonly rows: number;
}

/** Writes rows to a new file, in the form in which tables take them. */
export async function writeCsv({ path, rows, tableId, disk }: CsvRows, { signal }: Waiting): Promise<WrittenCsv> {
  let [count, bytes, crc] = [0, 0, 0];
  await using file = await open(path, 'wx');
  const write = async (text: string): Promise<void> => {
    signal.throwIfAborted();
    const chunk = Buffer.from(text);
    await disk.take(chunk.length);
    await file.writeFile(chunk).catch((thrown: unknown) => {
      throw diskFault(thrown);
    });
    crc = crc32(chunk, crc);
    bytes += chunk.length;
  };
  let waiting = '';
  for await (const cells of rows) {
    const line = csvLine(cells);
    // A character takes up to three bytes.
    if (line.length * 3 > limits.rowBytes && Buffer.byteLength(line) > limits.rowBytes)
      throw new JobFault('user', `A row of the table "${tableId}" is longer than ${limits.rowBytes} bytes.`);
    waiting += line;
    count += 1;
    if (waiting.length < writtenChars) continue;
    await write(waiting);
    waiting = '';
  }
  if (waiting !== '') await write(waiting);
  const content: CsvContent = {
    name: basename(path),
    bytes,
    checksum: crc32Checksum(crc),
    localPath: path,
    open: () => Promise.resolve(createReadStream(path)),
  };
  return { content, rows: count };
}
