import { mkdir } from 'node:fs/promises';
import type { Database } from 'lmdb';
import { messageOf, MillraceError } from '../../../core/millrace-error.ts';
import { ReservedSpace } from '../space/reserved-space.ts';
import { SharedWords } from '../space/shared-words.ts';
import { decodeDump, type DumpEntry } from './dump-codec.ts';
import { openRaw, raw } from './environment-snapshot.ts';

/** Bytes of one transaction. */
const enough = 8 * 1024 * 1024;

/** Makes the environment of a dump in a folder, which must be new. `data.unusable` for a dump that is damaged, and for a full disk. */
export async function restoreEnvironment(
  chunks: AsyncIterable<Uint8Array>,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  const root = openRaw(path);
  const space = new ReservedSpace(path, new SharedWords(root));
  const databases = new Map<string, Database<Buffer, Uint8Array>>([['', root]]);
  const databaseOf = (database: string): Database<Buffer, Uint8Array> => {
    const found = databases.get(database) ?? root.openDB<Buffer, Uint8Array>({ name: database, ...raw });
    databases.set(database, found);
    return found;
  };
  const write = (entries: readonly DumpEntry[]): void => {
    const stores = entries.map(({ database }) => databaseOf(database));
    using _ = space.claim({ values: entries.map(({ value }) => value.length), removed: 0 }, 'growth');
    root.transactionSync(() => {
      for (const [at, { key, value }] of entries.entries()) stores[at]?.putSync(key, Buffer.from(value));
    });
  };
  try {
    let [held, bytes]: [DumpEntry[], number] = [[], 0];
    for await (const entry of decodeDump(chunks, name)) {
      held.push(entry);
      bytes += entry.value.length;
      if (bytes < enough) continue;
      write(held);
      [held, bytes] = [[], 0];
    }
    write(held);
  } catch (thrown) {
    if (thrown instanceof MillraceError) throw thrown;
    throw new MillraceError('data.unusable', `cannot restore "${name}" into "${path}": ${messageOf(thrown)}`, {
      cause: thrown,
    });
  } finally {
    await space.close();
    await root.close();
  }
}
