import { createServer, type Server } from 'node:net';
import { messageOf, MillraceError } from '../core/millrace-error.ts';

export interface ListenerAddress {
  readonly host: string;
  readonly port: number;
}

/** Where threads of a process may listen at one place: elsewhere the system gives every connection to the last one, or refuses. */
export const sharesPlaces = process.platform === 'linux';

/** Where to listen, and with whom. */
export interface ListenerPlace extends ListenerAddress {
  /**
   * Other threads of this process listen at the same place, and the system shares connections out (SO_REUSEPORT). Another process of
   * the user could do so, too, without a word: see `assertFree`.
   */
  readonly isShared?: boolean;
}

/**
 * Makes a server listen; port 0 takes a free one. `config.invalid` names who wanted the address and why it cannot be had;
 * what goes wrong later goes to `onError`.
 */
export async function listen(
  server: Server,
  { host, port, isShared = false }: ListenerPlace,
  { name, onError }: { readonly name: string; readonly onError: (error: MillraceError) => void },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port, reusePort: isShared }, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new MillraceError('config.invalid', `${name} cannot listen on ${host}:${port}: ${reasonOf(cause)}`, {
      cause,
      details: { host, port },
    });
  }
  server.off('error', reject);
  server.on('error', (thrown) => onError(MillraceError.fromUnknown(thrown)));
}

/** Rejects with `config.invalid` when somebody else listens there, also one who would share the place. Any free port is free. */
export async function assertFree({ host, port }: ListenerAddress, { name }: { readonly name: string }): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  await listen(server, { host, port }, { name, onError: () => undefined });
  await new Promise((resolve) => void server.close(resolve));
}

/** Where a server listens; undefined before it does and afterwards. */
export function addressOf(server: Server): ListenerAddress | undefined {
  const address = server.address();
  return address === null || typeof address === 'string' ? undefined : { host: address.address, port: address.port };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'the port is taken by another process';
  if (code === 'EACCES') return 'the port needs rights that this process does not have';
  return messageOf(error);
}
