import { open, readFile, rm } from 'node:fs/promises';
import { eventually } from './eventually.ts';

/**
 * Resolves when this process is the only one of the machine that holds the file; disposing gives it back. The file names
 * the holder: of one that has ended it is taken away.
 */
export async function onlyOne(file: string, { withinMs }: { readonly withinMs: number }): Promise<AsyncDisposable> {
  await eventually(() => take(file), { withinMs, everyMs: 200 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

async function take(file: string): Promise<void> {
  try {
    await using held = await open(file, 'wx');
    await held.writeFile(String(process.pid));
  } catch (thrown) {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
    throw thrown;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
