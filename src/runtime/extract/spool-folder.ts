import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Spool } from '../../extractor/tables/spool.ts';

/** Of all names together; past it they go to the disk. */
const heldChars = 4 * 1024 * 1024;

/** Lines in files of a temporary folder, a file each name; it is made when memory does not hold them, and removed at the end. */
export class SpoolFolder implements Spool, AsyncDisposable {
  readonly #held = new Map<string, string[]>();
  readonly #written = new Set<string>();
  #chars = 0;
  #writing: Promise<void> = Promise.resolve();
  #folder: Promise<string> | undefined;

  append(name: string, line: string): void | Promise<void> {
    const lines = this.#held.get(name);
    if (lines === undefined) this.#held.set(name, [line]);
    else lines.push(line);
    this.#chars += line.length;
    return this.#chars > heldChars ? this.#writeBehind() : undefined;
  }

  async *read(name: string): AsyncIterable<string> {
    if (this.#written.has(name)) {
      await this.#write();
      yield* linesOf(createReadStream(await this.#fileOf(name)));
    } else {
      yield* this.#held.get(name) ?? [];
    }
  }

  /** Waits for the write before, so that memory holds two of them at most, and the disk writes while the next page comes. */
  #writeBehind(): Promise<void> {
    const before = this.#writing;
    // Whoever waits for it next gets its failure.
    this.#write().catch(() => undefined);
    return before;
  }

  /** One after the other, so that lines stay in their order. */
  #write(): Promise<void> {
    const held = [...this.#held];
    this.#held.clear();
    this.#chars = 0;
    for (const [name] of held) this.#written.add(name);
    this.#writing = this.#append(held, this.#writing);
    return this.#writing;
  }

  async #append(
    held: readonly (readonly [name: string, lines: readonly string[]])[],
    before: Promise<void>,
  ): Promise<void> {
    await before;
    for (const [name, lines] of held) await appendFile(await this.#fileOf(name), `${lines.join('\n')}\n`);
  }

  async #fileOf(name: string): Promise<string> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'millrace-extract-'));
    return join(await this.#folder, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}

const lineEnd = 10;

/** Of nothing but line feeds: rows have other characters that some readers take for the end of a line. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncIterable<string> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineEnd); to >= 0; to = chunk.indexOf(lineEnd, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, to)]).toString();
      parts = [];
      from = to + 1;
    }
    parts.push(chunk.subarray(from));
  }
}
