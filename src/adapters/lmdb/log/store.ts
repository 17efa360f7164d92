import { MillraceError } from '../../../core/millrace-error.ts';
import { parseJsonText } from '../../../core/parse-json-text.ts';
import { Breakage, type BrokenListener } from '../breakage.ts';
import { openEnvironment, type Environment } from '../client.ts';
import { isShortWriteOnFullDisk } from '../disk-full.ts';
import { fromLmdb } from '../errors.ts';
import { NoSpace, ReservedSpace, type Use } from '../space/reserved-space.ts';
import { SharedWords } from '../space/shared-words.ts';
import type { KeyRange } from './keys.ts';

/** The layout of keys and values that this version writes; it reads those before. Since 2 a record may refer to the headers of another. */
export const logFormat = 2;

/** What the block of one write puts and removes. */
interface Block {
  readonly puts: { readonly key: Buffer; readonly value: Buffer; readonly version: number }[];
  readonly removals: Buffer[];
}

/**
 * The environment of a log: reads of one snapshot, and transactions that happen only if the version of one key is what
 * the caller saw. Nothing else writes, so there is no lock that a thread could hold while it does something else.
 */
export class LogStore {
  readonly path: string;
  readonly #environment: Environment;
  readonly #breakage: Breakage;
  readonly #space: ReservedSpace;
  #block: Block | undefined;
  #closed = false;
  #onBroken: BrokenListener = () => undefined;

  constructor(path: string) {
    this.path = path;
    this.#breakage = new Breakage({
      what: 'log',
      path,
      code: 'log.unavailable',
      onBroken: (...told) => this.#onBroken(...told),
    });
    this.#environment = openEnvironment({ path, kind: 'log', format: logFormat });
    this.#space = new ReservedSpace(path, new SharedWords(this.#environment));
  }

  /** The newest commit of any thread becomes visible; without it reads may stay on a snapshot until the turn ends. */
  refresh(): void {
    this.#assertOpen();
    this.#environment.resetReadTxn();
  }

  /** Number of the last transaction of any thread. */
  lastTransaction(): number {
    this.refresh();
    const stats: { readonly lastTxnId?: number } = this.#environment.getStats();
    return stats.lastTxnId ?? 0;
  }

  /** A copy of the value. */
  get(key: Buffer): Buffer | undefined {
    this.#assertOpen();
    try {
      const found = this.#environment.getBinary(key);
      return found === undefined ? undefined : asBuffer(found);
    } catch (thrown) {
      throw unreadable(thrown);
    }
  }

  getJson(key: Buffer): unknown {
    const text = this.get(key);
    return text === undefined ? undefined : this.#read(() => parseJsonText(text.toString()));
  }

  /** Keys of the range, ascending, at most `limit`. */
  keys(range: KeyRange, limit = Number.MAX_SAFE_INTEGER): readonly Buffer[] {
    const { start, end } = range;
    return this.#read(() => [...this.#environment.getKeys({ start, end, limit })]).map(asBuffer);
  }

  /** The greatest key in [from, at]. */
  floorKey(at: Buffer, from: Buffer): Buffer | undefined {
    const range = { start: at, end: from, inclusiveEnd: true, reverse: true, limit: 1 };
    const [key] = this.#read(() => [...this.#environment.getKeys(range)]);
    return key === undefined ? undefined : asBuffer(key);
  }

  /** Put and remove act inside the block of `writeIf` or `write` that is being built. */
  put(key: Buffer, value: Buffer, version = 0): void {
    this.#building().puts.push({ key, value, version });
  }

  putJson(key: Buffer, value: object, version = 0): void {
    this.put(key, Buffer.from(JSON.stringify(value)), version);
  }

  remove(key: Buffer): void {
    this.#building().removals.push(key);
  }

  /**
   * One transaction of what `writes` puts and removes, if the key has this version (undefined: if there is no such
   * key). True: it is durable. False: nothing was written. `log.diskFull`: it was not begun. `log.full`,
   * `log.unavailable`: it may have happened.
   */
  // oxlint-disable-next-line max-params -- what for comes last, and is mostly left out
  writeIf(key: Buffer, version: number | undefined, writes: () => void, use: Use = 'upkeep'): Promise<boolean> {
    return this.#settle(this.#record(writes), use, (apply) =>
      version === undefined
        ? this.#environment.ifNoExists(key, apply)
        : this.#environment.ifVersion(key, version, apply),
    );
  }

  /** The same without a condition. */
  async write(writes: () => void): Promise<void> {
    await this.#settle(this.#record(writes), 'upkeep', (apply) => this.#environment.batch(apply));
  }

  /** Makes room for an append of such values that is written next; undefined when there is room. Never rejects. */
  prepare(values: readonly number[]): Promise<void> | undefined {
    return this.#space.prepare({ values, removed: 0 });
  }

  /** What is started inside becomes one transaction; each part settles by itself and has its own condition. */
  together(start: () => void): void {
    // The failure of the transaction is the failure of each part, which its caller handles.
    this.#environment.batch(start).catch(() => undefined);
  }

  /** Who is told when the environment breaks, here or in another thread. */
  whenBroken(listener: BrokenListener): void {
    this.#onBroken = listener;
  }

  /** Another thread found the environment broken; see `Breakage`. */
  markBroken(reason: string): void {
    this.#breakage.mark(reason);
  }

  /** A write was refused because the disk is full, and there has been no space since. */
  get isShort(): boolean {
    return this.#space.isShort;
  }

  get broken(): MillraceError | undefined {
    return this.#breakage.error;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#space.close();
    // The driver may wait for a write that never ends.
    if (this.broken === undefined) await this.#environment.close();
  }

  /** What a block does is known before the driver has any of it: a write that the disk has no space for is never begun. */
  #record(writes: () => void): Block {
    const block: Block = { puts: [], removals: [] };
    this.#block = block;
    try {
      writes();
    } finally {
      this.#block = undefined;
    }
    return block;
  }

  #building(): Block {
    if (this.#block === undefined) throw new MillraceError('internal.bug', 'a log is written outside a block');
    return this.#block;
  }

  #apply({ puts, removals }: Block): void {
    for (const { key, value, version } of puts) void this.#environment.put(key, value, version);
    for (const key of removals) void this.#environment.remove(key);
  }

  async #settle(block: Block, use: Use, start: (apply: () => void) => Promise<boolean>): Promise<boolean> {
    this.#assertOpen();
    if (this.broken !== undefined) throw this.broken;
    try {
      const size = { values: block.puts.map(({ value }) => value.length), removed: block.removals.length };
      using _claim = this.#space.claim(size, use);
      return await this.#breakage.guard(start(() => this.#apply(block)));
    } catch (thrown) {
      if (thrown instanceof NoSpace) throw new MillraceError('log.diskFull', thrown.message, { cause: thrown });
      const full = isShortWriteOnFullDisk(thrown, this.path);
      throw fromLmdb(thrown, { full: 'log.full', otherwise: full ? 'log.full' : 'log.unavailable' });
    }
  }

  /** What cannot be read is `log.unavailable`. */
  #read<T>(read: () => T): T {
    this.#assertOpen();
    try {
      return read();
    } catch (thrown) {
      throw unreadable(thrown);
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new MillraceError('log.closed', `the log in "${this.path}" is closed`);
  }
}

function unreadable(thrown: unknown): MillraceError {
  return fromLmdb(thrown, { full: 'log.unavailable', otherwise: 'log.unavailable' });
}

/** The driver's arrays may have an overwritten `length`, which makes every access slow. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
