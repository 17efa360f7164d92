import { readFile } from 'node:fs/promises';

/** How many sockets of this machine listen on a port of IPv4; undefined where the system does not say. */
export async function listenersAt(port: string | number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const hexadecimal = Number(port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/ +/));
  return lines.filter(([, local, , state]) => local?.endsWith(`:${hexadecimal}`) === true && state === '0A').length;
}
