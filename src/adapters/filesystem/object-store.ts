import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, open, opendir, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Waiting } from '../../ports/event-log.ts';
import type { ObjectContent, ObjectStore, StoredObject } from '../../ports/object-store.ts';
import { checkedName, checkedPrefix } from '../checked-name.ts';
import { temporaryFolder, type FileSystemConfig } from './config.ts';
import { makeFolder, sync } from './durable.ts';
import { fromFileSystem, systemCode } from './errors.ts';
import { DurableFolders } from './durable-folders.ts';

/**
 * Opens the objects of a folder. It holds no lock and no state: any number of threads may each open the same folder.
 * A folder that cannot be made or written is `objects.unavailable`.
 */
export async function openFileSystemObjectStore(config: FileSystemConfig): Promise<ObjectStore> {
  const temporary = join(config.folder, temporaryFolder);
  try {
    await makeFolder(temporary);
    if (config.removeLeftovers) {
      for (const name of await readdir(temporary)) await rm(join(temporary, name), { force: true });
    }
  } catch (error) {
    throw fromFileSystem(error, `open the staging folder "${config.folder}"`);
  }
  return new FileSystemObjectStore(config.folder);
}

class FileSystemObjectStore implements ObjectStore {
  readonly #root: string;
  readonly #folders: DurableFolders;

  constructor(root: string) {
    this.#root = root;
    this.#folders = new DurableFolders(root);
  }

  async put(name: string, content: ObjectContent, { signal }: Waiting): Promise<StoredObject> {
    const path = this.#path(name);
    try {
      signal.throwIfAborted();
      await this.#folders.make(dirname(path));
      const bytes =
        content.kind === 'file'
          ? await this.#linkFile(content.path, path)
          : await this.#throughTemporary(path, (temporary) => writeDurably(temporary, content.bytes, signal));
      await this.#folders.sync(dirname(path));
      return { name, bytes };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') this.#folders.forget(dirname(path));
      throw fromFileSystem(error, `write the object "${name}"`, 'objects.unavailable');
    }
  }

  async get(name: string, { signal }: Waiting): Promise<Readable> {
    const path = this.#path(name);
    try {
      signal.throwIfAborted();
      const file = await open(path, 'r');
      return file.createReadStream({ signal });
    } catch (error) {
      throw fromFileSystem(error, `read the object "${name}"`);
    }
  }

  async localPath(name: string, { signal }: Waiting): Promise<string> {
    const path = this.#path(name);
    try {
      signal.throwIfAborted();
      await stat(path);
      return path;
    } catch (error) {
      throw fromFileSystem(error, `find the object "${name}"`);
    }
  }

  async *list(prefix: string, { signal }: Waiting): AsyncIterable<StoredObject> {
    const { folder, start } = checkedPrefix(prefix);
    try {
      yield* this.#walk(folder, start, signal);
    } catch (error) {
      throw fromFileSystem(error, `list the objects "${prefix}"`);
    }
  }

  async delete(name: string, { signal }: Waiting): Promise<void> {
    const path = this.#path(name);
    try {
      signal.throwIfAborted();
      await unlink(path);
    } catch (error) {
      const code = systemCode(error);
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fromFileSystem(error, `delete the object "${name}"`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #path(name: string): string {
    return join(this.#root, checkedName(name));
  }

  /** Gives the caller's own file the object's name; the bytes are copied only from another device. Answers its size. */
  async #linkFile(source: string, path: string): Promise<number> {
    const bytes = await sync(source);
    try {
      await link(source, path);
      return bytes;
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      return this.#throughTemporary(path, async (temporary) => {
        await copyFile(source, temporary, constants.COPYFILE_EXCL);
        return sync(temporary);
      });
    }
  }

  /** A link, unlike a rename, never replaces what has the name already. */
  async #throughTemporary(path: string, write: (temporary: string) => Promise<number>): Promise<number> {
    const temporary = join(this.#root, temporaryFolder, randomUUID());
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
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
