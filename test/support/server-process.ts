import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { standStill } from './stand-still.ts';

export interface ServerCommand {
  /** For messages. */
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** True for the line of its output that says that it is ready; absent: it is asked in another way. */
  readonly isReady?: (line: string) => boolean;
  readonly readyMs?: number;
}

/** A server of one process, which ends with this one whatever happens. */
export interface ServerProcess {
  readonly pid: number;
  /** kill -9. Resolves when it is gone; once more does nothing. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves when it has left in its orderly way. */
  leave(): Promise<void>;
  /** SIGSTOP: it stands still, with its connections, until it is thawed or killed. Resolves when all of it does. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): void;
  /** The last lines of what it said, and how it ended. */
  said(): string;
}

/** The server itself and what watches over it: the shell kills it when its standard input closes, also when this process is killed. */
const script =
  '"$@" </dev/null & server=$!; echo "server $server"; (cat >/dev/null; kill -9 $server) <&3 & wait $server';

/** Resolves when it is ready; rejects, with nothing left behind, when it ends before or is silent for too long. */
export async function startServerProcess({
  name,
  command,
  env = process.env,
  isReady,
  readyMs = 120_000,
}: ServerCommand): Promise<ServerProcess> {
  const child = spawn('sh', ['-c', `exec 3<&0; ${script}`, 'sh', ...command], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  let pid = 0;
  const onLine = (line: string): void => {
    lines.push(line);
    if (lines.length > 100) lines.shift();
    if (line.startsWith('server ')) pid = Number(line.slice('server '.length));
    if (pid !== 0 && (isReady?.(line) ?? true)) resolve();
  };
  for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', onLine);
  const said = (): string => lines.join('\n');
  const fail = (why: string): void => reject(new Error(`${name} ${why}:\n${said()}`));
  child.once('exit', (code, signal) => {
    lines.push(`${name} ended with ${code ?? signal}`);
    fail('ended before it was ready');
  });
  const timer = setTimeout(() => fail(`is not ready after ${readyMs} ms`), readyMs);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) signalIfThere(pid, signal);
    await ended;
    child.stdin.end();
  };
  try {
    await ready;
  } catch (thrown) {
    child.stdin.end();
    await ended;
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return {
    pid,
    kill: () => end('SIGKILL'),
    leave: () => end('SIGTERM'),
    freeze: () => standStill(pid),
    thaw: () => signalIfThere(pid, 'SIGCONT'),
    said,
  };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
