import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A port of 127.0.0.1 that was free a moment ago, for a process that takes it at once: a connection of another may be given it, too. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A free port of 127.0.0.1 that the system gives to no connection by itself: a server that was killed finds it free again, and where
 * nothing is to listen nothing does. It is this process's until its end: others that ask for one are given another.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (!reserve(port)) continue;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

const reservations = new Set<string>();
/** The same for all test processes of the machine, wherever their temporary folders lie. */
const folder = process.platform === 'linux' ? '/tmp' : tmpdir();

/** By a file that holds the id of the process; one of a process that ended counts no more. */
function reserve(port: number): boolean {
  if (reservations.size === 0)
    process.once('exit', () => reservations.forEach((file) => rmSync(file, { force: true })));
  const file = join(folder, `millrace-port-${port}`);
  try {
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
  } catch {
    if (isAlive(readIfThere(file))) return false;
    writeFileSync(file, `${process.pid}`);
  }
  reservations.add(file);
  return true;
}

/** NaN when it has gone meanwhile. */
function readIfThere(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
