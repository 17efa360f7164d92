import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { restoreEnvironment } from '../../adapters/lmdb/dump/restore-environment.ts';
import { sync } from '../../adapters/durable.ts';
import { systemCode } from '../../adapters/system-code.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { dataFolder } from '../embedded/data-folder.ts';
import { dumps, readManifest, type BackupFile, type BackupManifest } from './manifest.ts';

export interface RestoreRequest extends Waiting {
  /** The folder of a backup. */
  readonly from: string;
  /** The data folder that is made; must not be there yet, or be empty. */
  readonly dataDir: string;
  readonly onProgress: (progress: { readonly bytes: number; readonly of: number }) => void;
}

/**
 * Makes a data folder of a backup, whole or not at all. Each file is compared with its checksum before anything of it counts.
 * `data.unusable` and `data.newerFormat` for what is no backup, or damaged; `backup.refused` for a data folder that has something in it;
 * `backup.failed`.
 */
export async function restoreBackup(request: RestoreRequest): Promise<BackupManifest> {
  const { from, signal } = request;
  const manifest = await readManifest(from);
  const dataDir = resolve(request.dataDir);
  await checkEmpty(dataDir);
  const made = join(dirname(dataDir), `.${basename(dataDir)}-${randomUUID()}`);
  try {
    await mkdir(made, { recursive: true, mode: 0o700 });
    const of = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const file of manifest.files) {
      signal.throwIfAborted();
      await restoreFile(file, {
        from,
        to: made,
        signal,
        onBytes: (bytes) => request.onProgress({ bytes: (done += bytes), of }),
      });
    }
    await rmdir(dataDir).catch((thrown: unknown) => {
      if (systemCode(thrown) !== 'ENOENT') throw thrown;
    });
    await rename(made, dataDir);
    await sync(dirname(dataDir));
    return manifest;
  } catch (thrown) {
    await rm(made, { recursive: true, force: true });
    signal.throwIfAborted();
    if (thrown instanceof MillraceError) throw thrown;
    throw new MillraceError('backup.failed', `the backup was not restored: ${messageOf(thrown)}`, { cause: thrown });
  }
}

async function checkEmpty(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return [];
    throw new MillraceError('backup.refused', `"${dataDir}" cannot be a data folder: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  });
  if (entries.length === 0) return;
  throw new MillraceError(
    'backup.refused',
    `the data folder "${dataDir}" is not empty: a backup is restored into a new one, so that nothing is lost by it`,
  );
}

interface Restoring extends Waiting {
  readonly from: string;
  readonly to: string;
  readonly onBytes: (bytes: number) => void;
}

/** What a dump was made of is made anew; every other file is copied. */
async function restoreFile(file: BackupFile, { from, to, signal, onBytes }: Restoring): Promise<void> {
  const path = join(from, file.path);
  const pieces = checked(path, { file, signal, onBytes });
  const environment = environmentOf(file.path, to);
  if (environment !== undefined) {
    await mkdir(dirname(environment), { recursive: true, mode: 0o700 });
    await restoreEnvironment(pieces, { path: environment, name: path });
    return;
  }
  const target = join(to, file.path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const copy = await open(target, 'wx', 0o600);
  try {
    for await (const piece of pieces) await copy.writeFile(piece);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await sync(dirname(target));
}

function environmentOf(path: string, to: string): string | undefined {
  const { catalog, sinkLog, sourceLog } = dataFolder(to);
  const targets = new Map<string, string>([
    [dumps.catalog, catalog],
    [dumps.sinkLog, sinkLog],
    [dumps.sourceLog, sourceLog],
  ]);
  return targets.get(path);
}

/** The bytes of a file; rejects at their end when they are not those of the manifest. */
async function* checked(
  path: string,
  { file, signal, onBytes }: Waiting & Pick<Restoring, 'onBytes'> & { readonly file: BackupFile },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
      const chunk = piece as Uint8Array;
      hash.update(chunk);
      bytes += chunk.length;
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    throw new MillraceError('data.unusable', `"${path}" cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
  if (bytes === file.bytes && hash.digest('hex') === file.sha256) return;
  throw new MillraceError('data.unusable', `"${path}" is damaged: it is not what was written into the backup`);
}
