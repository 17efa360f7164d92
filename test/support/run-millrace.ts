import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { builtEntry } from './built-entry.ts';

export interface CommandRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
}

/** Runs one command of the command line in a process of its own, without the variables of this one. */
export async function runMillrace(
  args: readonly string[],
  { env = {}, stdin = '', cwd }: RunOptions = {},
): Promise<CommandRun> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [await builtEntry('main'), ...args], {
    env: { PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin.on('error', () => {
    // The command did not read its input.
  });
  child.stdin.end(stdin);
  const code = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, stdout, stderr };
}
