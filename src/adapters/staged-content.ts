import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip } from 'node:zlib';
import { crc32Checksum, isCrc32 } from '../core/checksum.ts';
import { messageOf, MillraceError } from '../core/millrace-error.ts';
import type { Waiting } from '../ports/waiting.ts';
import type { CsvContent } from '../ports/csv-content.ts';

const chunkBytes = 256 * 1024;

/**
 * The CSV of a staged object, from its path on this machine or from its store, compared with its checksum on the way:
 * a reader that has taken all of it without an error has what was staged, and none is given more than that. `objects.corrupt`,
 * `objects.notFound`; a store that is away is `objects.unavailable`. An abort ends it with its reason, also while the
 * store gives nothing.
 */
export async function* checkedContent(content: CsvContent, { signal }: Waiting): AsyncGenerator<Uint8Array> {
  const comparison = new Comparison(content);
  const stored = await opened(content, signal);
  for await (const chunk of content.compressed === undefined ? stored : gunzipped(stored, content, signal)) {
    comparison.add(chunk);
    yield chunk;
  }
  comparison.end();
}

/** Reads all of an object and forgets it; the errors of `checkedContent`. */
export async function checkContent(content: CsvContent, options: Waiting): Promise<void> {
  const { localPath, compressed } = content;
  if (localPath !== undefined && compressed === undefined) return await checkFile(content, localPath, options);
  for await (const _ of checkedContent(content, options)) options.signal.throwIfAborted();
}

/** Through one buffer: a stream takes memory anew for each chunk, which costs more than the checksum. */
async function checkFile(content: CsvContent, path: string, { signal }: Waiting): Promise<void> {
  const comparison = new Comparison(content);
  try {
    await using file = await open(path);
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, content.bytes + 1));
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      comparison.add(buffer.subarray(0, bytesRead));
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw fromReading(thrown);
  }
  comparison.end();
}

/**
 * What gzip makes of the bytes of a store. `objects.corrupt` when it cannot, and when they are not as many as were put: behind the end of
 * the CSV a store may have anything that makes nothing.
 */
async function* gunzipped(
  stored: AsyncIterable<Uint8Array>,
  content: CsvContent,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const decoder = createGunzip({ chunkSize: chunkBytes });
  const fed = pipeline(allStored(stored, content), decoder, { signal });
  // Told below; nobody waits for it when the reader goes away first.
  fed.catch(() => {});
  try {
    for await (const chunk of decoder) yield bytesOf(chunk);
    await fed;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof MillraceError) throw thrown;
    throw corrupt(content, `its gzip is damaged: ${messageOf(thrown)}`, thrown);
  } finally {
    decoder.destroy();
  }
}

async function* allStored(stored: AsyncIterable<Uint8Array>, content: CsvContent): AsyncGenerator<Uint8Array> {
  const { compressed } = content;
  let bytes = 0;
  for await (const chunk of stored) {
    bytes += chunk.length;
    yield chunk;
  }
  if (compressed === undefined || bytes === compressed.bytes) return;
  throw corrupt(content, `it takes ${bytes} bytes, expected ${compressed.bytes}`);
}

function corrupt({ name, checksum }: CsvContent, what: string, cause?: unknown): MillraceError {
  const details = { object: name, ...(checksum === undefined ? {} : { expected: checksum }) };
  return new MillraceError('objects.corrupt', `"${name}" is not as it was staged: ${what}`, { cause, details });
}

/** The bytes of an object as they go by, against its checksum. */
class Comparison {
  readonly #content: CsvContent;
  #bytes = 0;
  #crc = 0;

  constructor(content: CsvContent) {
    this.#content = content;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#crc = crc32(chunk, this.#crc);
    // A few stored bytes may become any number.
    const { bytes, compressed } = this.#content;
    if (compressed === undefined || this.#bytes <= bytes) return;
    throw corrupt(this.#content, `it becomes more than ${bytes} bytes`);
  }

  /** `objects.corrupt` when these were not the bytes that were staged. */
  end(): void {
    const { name, bytes, checksum } = this.#content;
    if (checksum === undefined || !isCrc32(checksum)) return;
    const found = crc32Checksum(this.#crc);
    if (found === checksum && this.#bytes === bytes) return;
    throw new MillraceError(
      'objects.corrupt',
      `"${name}" is not as it was staged: it holds ${this.#bytes} bytes (${found}), expected ${bytes} (${checksum})`,
      { details: { object: name, expected: checksum, found } },
    );
  }
}

/**
 * Loads what was staged, or nothing. When content was refused or is not as staged, all of it is read once more: an
 * object that differs again is reported; otherwise the first read went wrong, and the content is loaded again.
 */
export async function loadStaged<T>(
  contents: readonly CsvContent[],
  load: () => Promise<T>,
  options: Waiting,
): Promise<T> {
  try {
    return await load();
  } catch (thrown) {
    const isRefused = thrown instanceof MillraceError && refusals.includes(thrown.code);
    if (!isRefused || contents.every(({ checksum }) => checksum === undefined)) throw thrown;
  }
  for (const content of contents) await checkContent(content, options);
  return await load();
}

const refusals: readonly string[] = ['objects.corrupt', 'table.invalidContent'];

async function opened(content: CsvContent, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const { localPath } = content;
  if (localPath === undefined) return fromStaging(await content.open({ signal }), signal);
  return fromStaging(createReadStream(localPath, { highWaterMark: chunkBytes }), signal);
}

/** A stream of staging whose failures are those of staging and not of the table store. */
async function* fromStaging(stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of addAbortSignal(signal, stream)) yield bytesOf(chunk);
  } catch (thrown) {
    signal.throwIfAborted();
    throw fromReading(thrown);
  }
}

function fromReading(thrown: unknown): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
    return new MillraceError('objects.notFound', 'a file of the import is not there', { cause: thrown });
  return MillraceError.fromUnknown(thrown, 'objects.unavailable');
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new MillraceError('internal.bug', 'the content of an import is not a stream of bytes');
}
