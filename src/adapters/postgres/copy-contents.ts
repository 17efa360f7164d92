import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { CsvContent } from '../../ports/table-store.ts';
import { CheckedCsv } from './checked-csv.ts';
import type { ProgressWatch } from './progress-watch.ts';
import { fromLoading } from './table-errors.ts';
import { identifier, storedColumn, tableOf } from './table-names.ts';

const chunkBytes = 256 * 1024;

export interface Load {
  readonly tableId: TableId;
  readonly columns: readonly string[];
  readonly contents: readonly CsvContent[];
  readonly expected: number;
}

/**
 * Loads all lines of the contents in their order, in one COPY of the transaction under way; memory stays flat.
 * `table.invalidContent` when they are not as staged or not as many as expected; the transaction is lost then.
 */
export async function copyContents(client: ClientBase, load: Load, watch: ProgressWatch): Promise<void> {
  const { tableId, columns, expected } = load;
  const contents = load.contents.filter(({ bytes }) => bytes > 0);
  const rows = contents.length === 0 ? 0 : await copy(client, { ...load, contents }, watch);
  if (rows === expected) return;
  throw new MillraceError(
    'table.invalidContent',
    `the content for the table "${tableId}" holds ${rows} rows of ${columns.length} columns, expected ${expected}`,
    { details: { tableId, rows, expected } },
  );
}

async function copy(client: ClientBase, { tableId, columns, contents }: Load, watch: ProgressWatch): Promise<number> {
  const list = columns.map((column) => identifier(storedColumn(column))).join(', ');
  const statement = `COPY ${tableOf(tableId)} (${list}) FROM STDIN WITH (FORMAT csv, ENCODING 'UTF8')`;
  const target = client.query(copyFrom(statement));
  // The pipeline below has the error already; a connection that breaks later must not end the process.
  target.on('error', () => {});
  try {
    const source = Readable.from(checkedBytes(contents, watch), { highWaterMark: 1 });
    await pipeline(source, target, { signal: watch.signal });
  } catch (thrown) {
    watch.signal.throwIfAborted();
    throw fromLoading(thrown, tableId);
  }
  watch.progress();
  return target.rowCount;
}

async function* checkedBytes(contents: readonly CsvContent[], watch: ProgressWatch): AsyncGenerator<Uint8Array> {
  for (const content of contents) {
    const csv = new CheckedCsv(content.name);
    for await (const chunk of await opened(content, watch.signal)) {
      const bytes = bytesOf(chunk);
      csv.chunk(bytes);
      watch.progress();
      yield bytes;
      watch.progress();
    }
    csv.end();
  }
}

async function opened(content: CsvContent, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
  const { localPath } = content;
  if (localPath === undefined) return fromStaging(await content.open({ signal }));
  return fromStaging(createReadStream(localPath, { highWaterMark: chunkBytes, signal }));
}

/** A stream of staging whose failures are those of staging and not of the server. */
async function* fromStaging(stream: Readable): AsyncGenerator {
  try {
    yield* stream;
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown;
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') {
      throw new MillraceError('objects.notFound', 'a file of the import is not there', { cause: thrown });
    }
    throw MillraceError.fromUnknown(thrown, 'objects.unavailable');
  }
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new MillraceError('internal.bug', 'the content of an import is not a stream of bytes');
}
