import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import { sync } from '../../adapters/durable.ts';
import { systemCode } from '../../adapters/system-code.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { DataFolder } from '../embedded/data-folder.ts';
import { writeDurably } from '../embedded/write-durably.ts';
import { BackupThread } from './backup-thread.ts';
import { backupFormat, manifestName, type BackupManifest } from './manifest.ts';

export interface BackupRequest extends Waiting {
  /** An absolute path; made, and must not be there yet. */
  readonly to: string;
  /** Version of the product. */
  readonly version: string;
  readonly now: () => number;
  /** Told of each piece that is written. */
  readonly onBytes: (bytes: number) => void;
}

/** Files of the data folder that are small, never changed, and not there in every installation. */
const smallFiles = ['format.json', 'root-token', 'encryption-key'] as const;
/** Left on the disk of the data folder, which grows while its pages are held. */
const leftBytes = 256 * 1024 ** 2;
const linksAtOnce = 32;

/** About how many bytes a backup has. `backup.refused` for a place where none can be made, or that has no room. */
export async function checkBackup(folder: DataFolder, to: string): Promise<number> {
  await checkPlace(folder, to);
  return checkRoom(folder, to);
}

/** Copies the data folder of this process as of one moment, while it works. `backup.failed`, with nothing left of it. */
export async function takeBackup(
  { folder, tables }: { readonly folder: DataFolder; readonly tables: DuckDbTables },
  request: BackupRequest,
): Promise<BackupManifest> {
  const { to, signal } = request;
  await mkdir(to, { mode: 0o700 }).catch((thrown: unknown) => {
    throw new MillraceError('backup.refused', `the folder "${to}" cannot be made: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  });
  const links = join(folder.local, `backup-${randomUUID()}`);
  try {
    await using thread = new BackupThread({ dataDir: folder.path, to }, signal);
    const { at, copied } = await holdAll({ folder, tables, thread, links }, request);
    const small = await existing(smallFiles.map((path) => ({ from: join(folder.path, path), path })));
    const linked = (await filesIn(links)).map((path) => ({ from: join(links, path), path: `staging/${path}` }));
    const files = await thread.write({ files: [...small, ...linked], copied }, request.onBytes);
    for (const name of new Set(['', ...files.map(({ path }) => dirname(path))])) await sync(join(to, name));
    const manifest = { format: backupFormat, version: request.version, at, files: [...files] };
    writeDurably(join(to, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    await sync(dirname(to));
    return manifest;
  } catch (thrown) {
    await rm(to, { recursive: true, force: true });
    signal.throwIfAborted();
    if (thrown instanceof MillraceError) throw thrown;
    throw new MillraceError('backup.failed', `the backup was not made: ${messageOf(thrown)}`, { cause: thrown });
  } finally {
    await rm(links, { recursive: true, force: true });
  }
}

interface Holding {
  readonly folder: DataFolder;
  readonly tables: DuckDbTables;
  readonly thread: BackupThread;
  readonly links: string;
}

/** All stores of one moment: the tables are copied, staging is linked, catalog and logs are held by the thread. */
async function holdAll(
  { folder, tables, thread, links }: Holding,
  { to, now, signal }: BackupRequest,
): Promise<{ readonly at: string; readonly copied: readonly string[] }> {
  return tables.whileStill(
    async (files) => {
      // What is deleted at this very moment is linked before, what is new behind it.
      await rm(links, { recursive: true, force: true });
      await linkAll(folder.staging, links, { signal });
      // Before it is held: what was acknowledged until then is in it.
      const at = new Date(now()).toISOString();
      await thread.hold();
      await linkAll(folder.staging, links, { signal });
      const copied: string[] = [];
      for (const { from, path } of await existing(files.map((file) => ({ from: file, path: basename(file) })))) {
        signal.throwIfAborted();
        await copyFile(from, join(to, path), constants.COPYFILE_FICLONE);
        copied.push(path);
      }
      return { at, copied };
    },
    { signal },
  );
}

/** Objects are written once under a name, and may be gone soon: a link keeps what they hold. */
async function linkAll(from: string, to: string, { signal }: Waiting): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const files = await filesIn(from);
  for (const folder of new Set(files.map((path) => dirname(path)))) await mkdir(join(to, folder), { recursive: true });
  for (let at = 0; at < files.length; at += linksAtOnce) {
    signal.throwIfAborted();
    await Promise.all(files.slice(at, at + linksAtOnce).map((path) => linkIfThere(join(from, path), join(to, path))));
  }
}

/** One that is linked already is the same, and one that has gone since is named by no document. */
async function linkIfThere(from: string, to: string): Promise<void> {
  await link(from, to).catch((thrown: unknown) => {
    if (systemCode(thrown) !== 'ENOENT' && systemCode(thrown) !== 'EEXIST') throw thrown;
  });
}

/** Paths within the folder; what begins with a dot is under way. */
async function filesIn(folder: string, within = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true }).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return [];
    throw thrown;
  });
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      const path = within === '' ? entry.name : `${within}/${entry.name}`;
      if (within === '' && entry.name.startsWith('.')) return [];
      if (entry.isDirectory()) return filesIn(folder, path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return found.flat();
}

async function existing<File extends { readonly from: string }>(files: readonly File[]): Promise<readonly File[]> {
  const sizes = await Promise.all(files.map(({ from }) => sizeOf(from)));
  return files.filter((_, at) => sizes[at] !== undefined);
}

async function checkPlace(folder: DataFolder, to: string): Promise<void> {
  const refuse = (reason: string): never => {
    throw new MillraceError('backup.refused', `no backup can be made in "${to}": ${reason}`);
  };
  if (!isAbsolute(to) || to.includes('\0')) refuse('give the path of a folder from the root on');
  const inside = relative(folder.path, to);
  if (inside === '' || !(inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside)))
    refuse(`it is in the data folder "${folder.path}"`);
  if ((await sizeOf(to)) !== undefined) refuse('it is there already');
  if ((await sizeOf(dirname(to))) === undefined) refuse(`the folder "${dirname(to)}" is not there`);
}

/** About how many bytes there are. `backup.refused` when the disk has no room for them. */
async function checkRoom(folder: DataFolder, to: string): Promise<number> {
  const { catalog, sinkLog, sourceLog, staging, tables } = folder;
  const environments = [catalog, sinkLog, sourceLog].map((path) => join(path, 'data.mdb'));
  const objects = (await filesIn(staging)).map((path) => join(staging, path));
  const sizes = await Promise.all([tables, `${tables}.wal`, ...environments, ...objects].map(sizeOf));
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  const { bavail, bsize } = await statfs(dirname(to));
  const free = bavail * bsize;
  if (free >= bytes + leftBytes) return bytes;
  const text = `the disk of "${to}" has ${mebibytes(free)} MB left, and the backup takes up to ${mebibytes(bytes)} MB; ${mebibytes(leftBytes)} MB are to stay free`;
  throw new MillraceError('backup.refused', text);
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    (thrown: unknown) => {
      if (systemCode(thrown) === 'ENOENT') return undefined;
      throw thrown;
    },
  );
}
