import { MillraceError } from '../../../core/millrace-error.ts';

/** An entry of an environment: the name of its database, empty for the root, and key and value as LMDB has them. */
export interface DumpEntry {
  readonly database: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** The first bytes of a dump; the last one counts its versions. */
const magic = Buffer.from('millrace-lmdb-dump\u0001', 'latin1');
const headBytes = 1 + 2 + 4;
/** Stands where an entry has the length of its database's name: so many entries came before. */
const endMark = 255;
const endBytes = 1 + 8;
/** LMDB's longest key in these environments is 1,978 bytes, and no record or document comes near to that. */
const longestValue = 2 ** 30;

export const dumpHead: Buffer = magic;

/** An entry as a dump has it: lengths of name, key and value, then these. */
export function encodeEntry({ database, key, value }: DumpEntry): readonly Uint8Array[] {
  const name = Buffer.from(database, 'latin1');
  const head = Buffer.allocUnsafe(headBytes + name.length);
  head.writeUInt8(name.length, 0);
  head.writeUInt16LE(key.length, 1);
  head.writeUInt32LE(value.length, 3);
  head.set(name, headBytes);
  return [head, key, value];
}

/** The end of a dump with this many entries. */
export function encodeEnd(entries: number): Buffer {
  const end = Buffer.alloc(endBytes);
  end.writeUInt8(endMark, 0);
  end.writeDoubleLE(entries, 1);
  return end;
}

/** The entries of a dump; rejects with `data.unusable` when it is none, or is cut, or goes on behind its end. */
export async function* decodeDump(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<DumpEntry> {
  const source = new ByteSource(chunks);
  const fail = (reason: string): never => {
    throw new MillraceError('data.unusable', `"${path}" is damaged: ${reason}`, { details: { path } });
  };
  const take = async (bytes: number): Promise<Buffer> =>
    (await source.take(bytes)) ?? fail('it ends in the middle of an entry');
  if (!magic.equals((await source.take(magic.length)) ?? Buffer.alloc(0))) fail('it does not begin as a dump does');
  for (let entries = 0; ; entries += 1) {
    const nameLength = (await take(1)).readUInt8(0);
    if (nameLength === endMark) {
      if ((await take(endBytes - 1)).readDoubleLE(0) !== entries) fail('it has another number of entries than it says');
      if ((await source.take(1)) !== undefined) fail('it goes on behind its end');
      return;
    }
    const lengths = await take(headBytes - 1);
    const [keyLength, valueLength] = [lengths.readUInt16LE(0), lengths.readUInt32LE(2)];
    if (valueLength > longestValue) fail('an entry has an impossible length');
    const database = (await take(nameLength)).toString('latin1');
    const key = await take(keyLength);
    yield { database, key, value: await take(valueLength) };
  }
}

/** Bytes of a stream in pieces of any length. */
class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined when there are not so many any more. */
  async take(bytes: number): Promise<Buffer | undefined> {
    if (this.#held.length < bytes) {
      const pieces: Uint8Array[] = [this.#held];
      let length = this.#held.length;
      while (length < bytes) {
        const next = await this.#chunks.next();
        if (next.done === true) return undefined;
        pieces.push(next.value);
        length += next.value.length;
      }
      this.#held = Buffer.concat(pieces);
    }
    const taken = this.#held.subarray(0, bytes);
    this.#held = this.#held.subarray(bytes);
    return taken;
  }
}
