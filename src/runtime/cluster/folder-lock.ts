import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { MillraceError } from '../../core/millrace-error.ts';

const prefix = 'lock-';
/** Of a folder: longer paths are no names of sockets. */
const longestPath = 80;
/** What a file system answers that has no sockets. */
const withoutSockets: readonly unknown[] = ['EOPNOTSUPP', 'ENOTSUP', 'EPERM', 'ENOSYS'];

/**
 * Holds a folder that is there for this process, until it is disposed of or the process ends, however it does. `data.locked` while another
 * process holds it, also one in another container of this machine. Where the file system has no sockets nothing is held.
 *
 * Each process listens on a socket of its own in the folder, and only then looks for those of others: of two that begin at once, one at
 * least sees the other, and gives way. Nobody answers on a socket that was left behind.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const place = stack.adopt(shortPath(folder), ({ close }) => close()).path;
  const own = `${prefix}${randomUUID().slice(0, 8)}`;
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  try {
    await listen(server, join(place, own));
  } catch (thrown) {
    if (withoutSockets.includes(codeOf(thrown))) return stack.move();
    throw new MillraceError('data.unusable', `the folder "${folder}" cannot be held for this process`, {
      cause: thrown,
    });
  }
  server.unref();
  stack.defer(() => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || name === own) continue;
    if (await answers(join(place, name)))
      throw new MillraceError('data.locked', `another process keeps its local files in "${folder}"`);
    rmSync(join(place, name), { force: true });
  }
  return stack.move();
}

/** Another name of the folder that is short enough for sockets in it, as long as it is not closed. */
function shortPath(path: string): { readonly path: string; readonly close: () => void } {
  if (Buffer.byteLength(path) <= longestPath || process.platform !== 'linux') return { path, close: () => undefined };
  const folder = openSync(path, 'r');
  return { path: `/proc/self/fd/${folder}`, close: () => closeSync(folder) };
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
