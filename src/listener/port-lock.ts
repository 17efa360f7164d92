import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { MillraceError } from '../core/millrace-error.ts';

const lookAgainMs = 20;

export interface PortLockOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  /** How long another process may take that is about to listen there. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Holds ports, by number, from the look whether they are free until somebody listens there whom others may join: a process that starts
 * in the same moment waits, and sees then that they are taken. It ends with the process. The names are in the abstract namespace of
 * Linux, which is that of the network, as the ports are; elsewhere nothing is held. `config.invalid` when another process holds them for
 * too long.
 */
export async function lockPorts(
  ports: readonly number[],
  { clock, patienceMs, signal }: PortLockOptions,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const until = clock.monotonic() + patienceMs;
  // In one order, so that nobody waits for one who waits for him.
  for (const port of ports.toSorted((a, b) => a - b)) {
    // Any free port is free.
    if (port === 0) continue;
    let lock = await lockOf(port);
    for (; lock === 'held' && clock.monotonic() < until; lock = await lockOf(port))
      await clock.sleep(lookAgainMs, { signal });
    if (lock === 'held')
      throw new MillraceError('config.invalid', `port ${port} is about to be taken by another process`, {
        details: { port },
      });
    if (lock !== undefined) stack.use(lock);
  }
  return stack.move();
}

async function lockOf(port: number): Promise<AsyncDisposable | 'held' | undefined> {
  const server = createServer();
  try {
    await once(server.listen({ path: `\0millrace.port.${port}` }), 'listening');
    return { [Symbol.asyncDispose]: () => closed(server) };
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE' ? 'held' : undefined;
  }
}

async function closed(server: Server): Promise<void> {
  await once(server.close(), 'close');
}
