import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { builtEntry } from './built-entry.ts';
import type { CommandRun, RunOptions } from './run-millrace.ts';

/** A command of the command line that runs in a process of its own; it is killed when it still runs then. */
export interface StartedCommand extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<CommandRun>;
}

/** Starts a command as `runMillrace` does, for a test that writes to it, reads from it or ends it. */
export async function startCommand(
  args: readonly string[],
  { env = {}, cwd }: Omit<RunOptions, 'stdin'> = {},
): Promise<StartedCommand> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [await builtEntry('main'), ...args], {
    env: { PATH, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin.on('error', () => {
    // The command ended before it read its input.
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve);
    child.on('error', reject);
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = Promise.all([exit, output]).then(([code, [stdout, stderr]]) => ({ code, stdout, stderr }));
  return {
    child,
    ended,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
