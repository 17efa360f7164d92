import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Waiting } from '../../ports/waiting.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import { checkedContent } from '../staged-content.ts';
import { fromDuckDb } from '../duckdb-engine/errors.ts';

/** Content as files of this machine; disposing removes those that were made for it. */
export interface LocalFiles extends AsyncDisposable {
  readonly paths: readonly string[];
  /** Content that lies on this machine, which nobody has compared with its checksum yet. */
  readonly unchecked: readonly CsvContent[];
  /** Of the largest file. */
  readonly maxBytes: number;
}

/**
 * Paths of the content that is not empty, in order; what has no path, or is compressed, is first written into `folder` as CSV, and compared
 * with its checksum: DuckDB would read a bomb to its end.
 */
export async function localFiles(
  contents: readonly CsvContent[],
  folder: string,
  { signal }: Waiting,
): Promise<LocalFiles> {
  const paths: string[] = [];
  const spooled: string[] = [];
  const unchecked: CsvContent[] = [];
  const dispose = async (): Promise<void> => {
    for (const path of spooled) await rm(path, { force: true });
  };
  try {
    for (const content of contents) {
      if (content.bytes === 0) continue;
      if (content.localPath !== undefined && content.compressed === undefined) {
        paths.push(content.localPath);
        unchecked.push(content);
        continue;
      }
      const path = join(folder, `${randomUUID()}.csv`);
      spooled.push(path);
      await pipeline(checkedContent(content, { signal }), createWriteStream(path), { signal });
      paths.push(path);
    }
  } catch (error) {
    await dispose();
    // @NOTE a pipeline rejects with an error of its own, not with the signal's reason
    signal.throwIfAborted();
    throw fromDuckDb(error);
  }
  const maxBytes = Math.max(0, ...contents.map(({ bytes }) => bytes));
  return { paths, unchecked, maxBytes, [Symbol.asyncDispose]: dispose };
}
