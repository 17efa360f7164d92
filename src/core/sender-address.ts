import ipaddr from 'ipaddr.js';
import { MillraceError } from './millrace-error.ts';

/** Proxies whose forwarding headers are believed; made by `parseTrustedProxies`. */
export interface TrustedProxies {
  readonly ranges: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];
}

/** Where a request came from: the peer of the connection, and its headers as received, repeated ones joined with `,`. */
export interface RequestOrigin {
  readonly peer: string;
  readonly xForwardedFor: string | undefined;
  readonly forwarded: string | undefined;
}

/** Reads addresses (`10.0.0.7`, `::1`) and CIDR ranges (`10.0.0.0/8`); `config.invalid` names the one that is neither. */
export function parseTrustedProxies(texts: readonly string[]): TrustedProxies {
  return { ranges: texts.map(parseRange) };
}

function parseRange(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (error) {
    throw new MillraceError(
      'config.invalid',
      `invalid trusted proxy "${text}": expected an address or a CIDR range such as "10.0.0.0/8"`,
      { cause: error },
    );
  }
}

/**
 * The sender's address without port, an IPv4-mapped one as IPv4: the peer; when the peer is a trusted proxy, the
 * right-most address of `X-Forwarded-For`, else of `Forwarded` (RFC 7239), that is none. A hop that names no address
 * (`unknown`, `_hidden`) ends the search at the last address known.
 */
export function senderAddress(origin: RequestOrigin, trusted: TrustedProxies): string {
  const peer = plainAddress(origin.peer);
  if (trusted.ranges.length === 0) return peer;
  const hops = origin.xForwardedFor?.split(',') ?? forwardedHops(origin.forwarded ?? '');
  let sender = peer;
  while (isTrusted(sender, trusted)) {
    const address = hopAddress(hops.pop());
    if (address === undefined) break;
    sender = address;
  }
  return sender;
}

const mapped = '::ffff:';

/** `::ffff:1.2.3.4`, as a dual-stack listener shows IPv4 peers, without its prefix. */
function plainAddress(address: string): string {
  return address.startsWith(mapped) && address.includes('.') ? address.slice(mapped.length) : address;
}

/** Whether an address, that of a peer too, is one of the proxies. */
export function isTrusted(address: string, { ranges }: TrustedProxies): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/** The `for` parameter of each element, in order; an element without one is a hop that names no address. */
function forwardedHops(forwarded: string): string[] {
  if (forwarded === '') return [];
  return forwarded.split(',').map((element) => /(?:^|;)\s*for\s*=\s*([^;]*)/i.exec(element)?.[1] ?? '');
}

function hopAddress(hop: string | undefined): string | undefined {
  const text = (hop ?? '').trim().replaceAll('"', '');
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([0-9.]+):\d+$/.exec(text)?.[1] ?? text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  if (!ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  return address.kind() === 'ipv4' ? address.toString() : bare;
}
