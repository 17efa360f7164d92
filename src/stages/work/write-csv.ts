import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { crc32Checksum } from '../../core/checksum.ts';
import { limits } from '../../core/limits.ts';
import type { TableId } from '../../core/table-id.ts';
import type { OutputTable } from '../../extractor/extraction.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { diskFault, type DiskShare } from './job-disk.ts';
import { JobFault } from './job-fault.ts';

export interface CsvRows {
  readonly path: string;
  readonly table: Pick<OutputTable, 'csv' | 'longestRow'>;
  /** For texts. */
  readonly tableId: TableId;
  readonly disk: DiskShare;
}

/** Writes the rows of a table to a new file, in the form in which tables take them. `JobFault` where the disk does not take them. */
export async function writeCsv(rows: CsvRows, { signal }: Waiting): Promise<CsvContent> {
  const { path, table, tableId } = rows;
  if (table.longestRow > limits.rowBytes)
    throw new JobFault('user', `A row of the table "${tableId}" is longer than ${limits.rowBytes} bytes.`);
  try {
    const { bytes, crc } = await written(rows, { signal });
    return {
      name: basename(path),
      bytes,
      checksum: crc32Checksum(crc),
      localPath: path,
      open: () => Promise.resolve(createReadStream(path)),
    };
  } catch (thrown) {
    throw diskFault(thrown);
  }
}

async function written(
  { path, table, disk }: CsvRows,
  { signal }: Waiting,
): Promise<{ readonly bytes: number; readonly crc: number }> {
  let [bytes, crc] = [0, 0];
  await using file = await open(path, 'wx');
  for await (const piece of table.csv()) {
    signal.throwIfAborted();
    await disk.take(piece.length);
    await file.writeFile(piece);
    crc = crc32(piece, crc);
    bytes += piece.length;
  }
  return { bytes, crc };
}
