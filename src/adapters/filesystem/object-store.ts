import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, open, opendir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectContent, ObjectStore, StoredObject } from '../../ports/object-store.ts';
import { temporaryFolder, type FileSystemConfig } from './config.ts';
import { makeFolder, sync } from '../durable.ts';
import { systemCode } from '../system-code.ts';
import { fromFileSystem, isMissing } from './errors.ts';
import { DoubtfulFiles } from './doubtful-files.ts';
import { DurableFolders } from './durable-folders.ts';
import { removeLeftovers } from './leftovers.ts';
import { checkedName, checkedPrefix } from '../checked-name.ts';

/**
 * Opens the objects of a folder. It holds no lock and no state: any number of threads may each open the same folder.
 * A folder that cannot be made or written is `objects.unavailable`.
 */
export async function openFileSystemObjectStore(config: FileSystemConfig): Promise<ObjectStore> {
  const temporary = join(config.folder, temporaryFolder);
  try {
    // @NOTE the first store of a process makes the way down to it durable, which a process before may have left half done
    await makeFolder(temporary, config.removeLeftovers ? parse(temporary).root : config.folder);
    if (config.removeLeftovers) await removeLeftovers(config.folder);
  } catch (error) {
    throw fromFileSystem(error, `open the staging folder "${config.folder}"`, 'objects.unavailable');
  }
  return new FileSystemObjectStore(config.folder);
}

class FileSystemObjectStore implements ObjectStore {
  /** The folder may be moved. */
  readonly location = undefined;
  /** A file is given its object's name and not copied; compressing it would cost more than all the rest. */
  readonly compression = 'none';
  readonly #root: string;
  readonly #folders: DurableFolders;
  /** Files of callers: the bytes of a doubtful one are written again. */
  readonly #doubtful = new DoubtfulFiles();

  constructor(root: string) {
    this.#root = root;
    this.#folders = new DurableFolders(root);
  }

  async put(name: string, content: ObjectContent, { signal }: Waiting): Promise<StoredObject> {
    const path = this.#path(name);
    signal.throwIfAborted();
    try {
      await this.#folders.make(dirname(path));
      const bytes =
        content.kind === 'file'
          ? await this.#linkFile(content.path, path)
          : await this.#throughTemporary(path, (temporary) => writeDurably(temporary, content.bytes, signal));
      await this.#folders.sync(dirname(path));
      return { name, bytes };
    } catch (error) {
      if (isMissing(error)) this.#folders.forget();
      // @NOTE Node's own functions reject with an error of their own, not with the signal's reason
      if (isCancellation(error)) signal.throwIfAborted();
      throw fromFileSystem(error, `write the object "${name}"`, 'objects.unavailable');
    }
  }

  async get(name: string, { signal }: Waiting): Promise<Readable> {
    const path = this.#path(name);
    signal.throwIfAborted();
    try {
      await requireFile(path, name);
      const file = await open(path, 'r');
      return file.createReadStream({ signal });
    } catch (error) {
      throw fromFileSystem(error, `read the object "${name}"`);
    }
  }

  async localPath(name: string, { signal }: Waiting): Promise<string> {
    const path = this.#path(name);
    signal.throwIfAborted();
    try {
      await requireFile(path, name);
      return path;
    } catch (error) {
      throw fromFileSystem(error, `find the object "${name}"`);
    }
  }

  async *list(prefix: string, { signal }: Waiting): AsyncIterable<StoredObject> {
    const { folder, start } = checkedPrefix(prefix);
    signal.throwIfAborted();
    try {
      yield* this.#walk(folder, start, signal);
    } catch (error) {
      throw fromFileSystem(error, `list the objects "${prefix}"`, 'objects.unavailable');
    }
  }

  async delete(name: string, { signal }: Waiting): Promise<void> {
    const path = this.#path(name);
    signal.throwIfAborted();
    try {
      await unlink(path);
    } catch (error) {
      if (!isMissing(error)) throw fromFileSystem(error, `delete the object "${name}"`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #path(name: string): string {
    return join(this.#root, checkedName(name));
  }

  /**
   * Gives the caller's own file the object's name; copies the bytes only where that is impossible. Answers its size.
   */
  async #linkFile(source: string, path: string): Promise<number> {
    if (this.#doubtful.has(source)) return this.#copyFile(source, path);
    const bytes = await this.#synced(source);
    try {
      await link(source, path);
      return bytes;
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      return this.#copyFile(source, path);
    }
  }

  async #synced(source: string): Promise<number> {
    try {
      return await sync(source);
    } catch (error) {
      this.#doubtful.add(source);
      throw error;
    }
  }

  /** The bytes go through this process, because a file system may copy by sharing what is on the disk. */
  async #copyFile(source: string, path: string): Promise<number> {
    const bytes = await this.#throughTemporary(path, async (temporary) => {
      await pipeline(createReadStream(source), createWriteStream(temporary, { flags: 'wx' }));
      return sync(temporary);
    });
    this.#doubtful.delete(source);
    return bytes;
  }

  /** A link, unlike a rename, never replaces what has the name already. */
  async #throughTemporary(path: string, write: (temporary: string) => Promise<number>): Promise<number> {
    const folder = join(this.#root, temporaryFolder);
    await this.#folders.make(folder);
    const temporary = join(folder, randomUUID());
    try {
      const bytes = await write(temporary);
      await link(temporary, path);
      return bytes;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async *#walk(folder: string, start: string, signal: AbortSignal): AsyncIterable<StoredObject> {
    const entries = await unlessMissing(opendir(join(this.#root, folder)));
    if (entries === undefined) return;
    for await (const entry of entries) {
      signal.throwIfAborted();
      if (!entry.name.startsWith(start) || entry.name.startsWith('.')) continue;
      const name = folder + entry.name;
      if (entry.isDirectory()) {
        yield* this.#walk(`${name}/`, '', signal);
      } else {
        const found = await unlessMissing(stat(join(this.#root, name)));
        if (found !== undefined) yield { name, bytes: found.size };
      }
    }
  }
}

/** A folder of objects is no object. */
async function requireFile(path: string, name: string): Promise<void> {
  if (!(await stat(path)).isFile()) throw new MillraceError('objects.notFound', `there is no object "${name}"`);
}

async function writeDurably(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<number> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes, { signal });
    await file.sync();
    return bytes.length;
  } finally {
    await file.close();
  }
}

/** A listing goes on when what it looks at is deleted meanwhile. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
