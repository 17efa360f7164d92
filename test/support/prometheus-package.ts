import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { madeOnce } from './made-once.ts';

const run = promisify(execFile);

/** Folder with `prometheus` and `promtool`, out of Debian's package, without installing that; fetched once. */
export async function prometheusPackage(): Promise<string> {
  const name = 'promtool';
  const path = await madeOnce(name, async (work) => {
    const folder = join(work, name);
    await mkdir(folder);
    const download = (): Promise<unknown> => run('apt-get', ['download', 'prometheus'], { cwd: folder });
    // A machine that is new knows no packages yet.
    await download().catch(() => run('apt-get', ['update']).then(download));
    const archive = (await readdir(folder)).find((file) => file.endsWith('.deb')) ?? '';
    await run('dpkg-deb', ['--extract', archive, '.'], { cwd: folder });
    await rm(join(folder, archive));
    return name;
  });
  return join(path, 'usr/bin');
}
