import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CsvReader, type CsvRow } from '../../core/imports/csv-reader.ts';
import type { CsvForm } from '../../core/imports/storage-job.ts';
import { limits } from '../../core/limits.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';

/**
 * The lines of a file, compressed with gzip or not, those of a piece together: a promise for each would cost more than to read it.
 * `import.invalid` with the place of what is wrong, after all lines before it.
 */
export async function* readFileRows(
  content: Readable,
  form: CsvForm,
  waiting: Waiting,
): AsyncGenerator<readonly CsvRow[]> {
  const reader = new CsvReader(form);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new MillraceError('import.invalid', 'The file is not valid UTF-8.', { cause });
    }
  };
  let [skipped, bytes] = [0, 0];
  const take = function* take(rows: Iterable<CsvRow>): Generator<readonly CsvRow[]> {
    const taken: CsvRow[] = [];
    try {
      for (const row of rows) {
        skipped += 1;
        if (skipped > form.ignoredLines) taken.push(row);
      }
    } catch (thrown) {
      if (taken.length > 0) yield taken;
      throw thrown;
    }
    if (taken.length > 0) yield taken;
  };
  for await (const chunk of unzipped(content, waiting)) {
    bytes += chunk.length;
    if (bytes > limits.importBytes)
      throw new MillraceError(
        'import.invalid',
        `The file has more than ${limits.importBytes} bytes once it is decompressed.`,
      );
    yield* take(reader.push(decode(chunk)));
  }
  yield* take(reader.push(decode()));
  yield* take(reader.end());
}

/** By its first two bytes. */
async function* unzipped(content: Readable, { signal }: Waiting): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let first = Buffer.alloc(0);
  for (let next = await chunks.next(); ; next = await chunks.next()) {
    if (next.done === true) {
      yield first;
      return;
    }
    first = Buffer.concat([first, next.value]);
    if (first.length >= 2) break;
  }
  const all = async function* all(): AsyncGenerator<Uint8Array> {
    yield first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  };
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const fed = pipeline(all(), gunzip, { signal });
  fed.catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
    await fed;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof MillraceError) throw cause;
    throw new MillraceError('import.invalid', `The gzip of the file is damaged: ${messageOf(cause)}.`, { cause });
  } finally {
    gunzip.destroy();
  }
}
