import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the product with the packages that it needs and its Node: nobody else has its files open. */
export interface PackageCopy extends AsyncDisposable {
  readonly folder: string;
  readonly node: string;
  /** The system can be asked to forget. */
  readonly canForget: boolean;
  /** Has the system forget what it has read of the files, if that can be. */
  forget(): Promise<void>;
}

export async function copyPackage(): Promise<PackageCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-copy-'));
  const node = join(folder, 'node');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await cp(process.execPath, node);
    for (const name of ['package.json', 'rolldown.config.ts', 'src', 'bin', 'dist', 'topologies'])
      // With their times: what is built is taken for that of the sources by them.
      await cp(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
    for (const path of await packages()) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      // A package that holds other packages is copied with them, and an optional one may be missing.
      await cp(join(root, path), join(folder, path), { recursive: true, dereference: true }).catch(ignoreMissing);
    }
    const canForget = await forget(folder, 'first');
    return {
      folder,
      node,
      canForget,
      forget: async () => void (canForget && (await forget(folder, 'again'))),
      [Symbol.asyncDispose]: remove,
    };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

/** Folders of packages that are not for development alone. */
async function packages(): Promise<readonly string[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
  };
  return Object.entries(lock.packages).flatMap(([path, { dev, devOptional }]) =>
    path === '' || dev === true || devOptional === true ? [] : [path],
  );
}

function ignoreMissing(thrown: unknown): void {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
}

/** posix_fadvise(2), which Node has no call for. What is not on the disk yet, as all of a new copy, would stay, and what is mapped does. */
const forgetting = `
import os, sys
isFirst = sys.argv[2] == 'first'
for at, _, names in os.walk(sys.argv[1]):
    for name in names:
        file = os.open(os.path.join(at, name), os.O_RDONLY)
        if isFirst: os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
`;

async function forget(folder: string, time: 'first' | 'again'): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    await run('python3', ['-c', forgetting, folder, time]);
    return true;
  } catch {
    return false;
  }
}
