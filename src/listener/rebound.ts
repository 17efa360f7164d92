import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Of this machine, as a socket shows them; a listener for both families shows those of IPv4 inside IPv6. */
const loopback = /^(?:::ffff:)?127\.|^::1$/;

/**
 * True for a request that came over the loopback address under a name that is none of it: a page in a browser of this
 * machine whose own name was made to lead here (DNS rebinding), so that the browser takes the answer for the page's own.
 * An address leads nowhere else, and `known` are the names under which a proxy of this machine passes requests on.
 */
export function isRebound({ socket, headers }: IncomingMessage, known: readonly string[]): boolean {
  const host = headers.host ?? '';
  if (host === '' || !loopback.test(socket.localAddress ?? '')) return false;
  if (!URL.canParse(`http://${host}`)) return true;
  const { hostname } = new URL(`http://${host}`);
  const isOwn = hostname === 'localhost' || hostname.endsWith('.localhost') || known.includes(hostname);
  return !isOwn && isIP(hostname.replaceAll(/^\[|\]$/g, '')) === 0;
}
