import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { lockFolder } from './folder-lock.ts';

/** It is removed, and given free, with what has it. */
export interface LocalFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes a folder for the local slice files of this process below `parent`, and removes those that processes of this machine
 * left behind. The files are a cache of the log. `data.locked` while another process has `parent`, `data.unusable` when it cannot be made.
 */
export async function makeLocalFolder(parent: string, name: string): Promise<LocalFolder> {
  await using stack = new AsyncDisposableStack();
  const path = join(parent, `${process.pid}-${name}`);
  makeParent(parent);
  stack.use(await lockFolder(parent));
  try {
    for (const other of readdirSync(parent)) if (isLeftBehind(other)) rmSync(join(parent, other), { recursive: true });
    mkdirSync(path);
    stack.defer(() => rmSync(path, { recursive: true, force: true }));
  } catch (thrown) {
    throw unusable(parent, thrown);
  }
  const held = stack.move();
  return { path, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

function makeParent(parent: string): void {
  try {
    mkdirSync(parent, { recursive: true });
  } catch (thrown) {
    throw unusable(parent, thrown);
  }
}

function unusable(parent: string, thrown: unknown): MillraceError {
  const message = `the folder "${parent}" for local slice files cannot be used: ${messageOf(thrown)}`;
  return new MillraceError('data.unusable', message, { cause: thrown });
}

function isLeftBehind(folder: string): boolean {
  const pid = Number(/^\d+(?=-)/.exec(folder)?.[0] ?? Number.NaN);
  if (Number.isNaN(pid)) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH';
  }
}
