import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spool } from '../../extractor/tables/spool.ts';
import { diskFault, type DiskShare } from './job-disk.ts';

/** Of all names together; past it everything is written. */
const bufferedChars = 1024 * 1024;
const readBytes = 256 * 1024;
const lineEnd = 10;

/** A spool of files, one a name, in a folder that is there and that nobody else uses. */
export class FileSpool implements Spool {
  readonly #folder: string;
  readonly #disk: DiskShare;
  readonly #buffers = new Map<string, string[]>();
  readonly #written = new Set<string>();
  #buffered = 0;
  /** One write after the other: lines stay in their order. Rejects once one has failed. */
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, disk: DiskShare) {
    this.#folder = folder;
    this.#disk = disk;
  }

  append(name: string, line: string): void | Promise<void> {
    const buffer = this.#buffers.get(name);
    if (buffer === undefined) this.#buffers.set(name, [line]);
    else buffer.push(line);
    this.#buffered += line.length + 1;
    return this.#buffered < bufferedChars ? undefined : this.#flush();
  }

  async *read(name: string): AsyncIterable<string> {
    await this.#flush();
    if (!this.#written.has(name)) return;
    let rest: Buffer[] = [];
    const stream: AsyncIterable<Buffer> = createReadStream(join(this.#folder, name), { highWaterMark: readBytes });
    for await (const bytes of stream) {
      let from = 0;
      for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, from)) {
        const line = bytes.subarray(from, end);
        yield rest.length === 0 ? line.toString() : Buffer.concat([...rest, line]).toString();
        rest = [];
        from = end + 1;
      }
      if (from < bytes.length) rest.push(bytes.subarray(from));
    }
  }

  #flush(): Promise<void> {
    if (this.#buffered === 0) return this.#writing;
    const buffers = [...this.#buffers];
    this.#buffers.clear();
    this.#buffered = 0;
    this.#writing = this.#writing.then(() => this.#write(buffers));
    // Whoever appends or reads next is told.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  async #write(buffers: readonly (readonly [name: string, lines: readonly string[]])[]): Promise<void> {
    for (const [name, lines] of buffers) {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      await this.#disk.take(bytes.length);
      try {
        await appendFile(join(this.#folder, name), bytes);
      } catch (thrown) {
        throw diskFault(thrown);
      }
      this.#written.add(name);
    }
  }
}
