import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { allowsAddress, allowsName, type HostPlace, type HostRule } from '../../core/host-rule.ts';
import { isPublicAddress } from '../../core/public-address.ts';
import type { Resolve } from './config.ts';
import { fromConnecting, noAnswer, refused } from './errors.ts';

export interface ConnectOptions {
  readonly allowedHosts: readonly HostRule[];
  readonly resolve: Resolve | undefined;
  readonly timeoutMs: number;
  readonly tls: SecureContext;
}

/**
 * Connects to public addresses and to those that the operator allows. The addresses of a name are looked at inside of the lookup of the
 * connection: there is no second one that could answer otherwise.
 */
export function checkedConnector(options: ConnectOptions): buildConnector.connector {
  return (asked, callback) => {
    const isSecure = asked.protocol === 'https:';
    const place = { name: asked.hostname, port: Number(asked.port || (isSecure ? 443 : 80)) };
    const wrong = isIP(place.name) === 0 ? undefined : faultOf(place, [place.name], options);
    if (wrong !== undefined) return queueMicrotask(() => callback(wrong, null));
    const socket = isSecure ? secureSocket(place, options, asked.servername) : connectTcp(whereOf(place, options));
    settle(socket, { place, ready: isSecure ? 'secureConnect' : 'connect', timeoutMs: options.timeoutMs }, callback);
    // undici ends an attempt that nobody waits for any more by the socket that it gets.
    return socket;
  };
}

function secureSocket(place: HostPlace, options: ConnectOptions, servername: string | undefined): Socket {
  return connectTls({
    ...whereOf(place, options),
    secureContext: options.tls,
    servername: servername ?? (isIP(place.name) === 0 ? place.name : ''),
    ALPNProtocols: ['http/1.1'],
    // Also where the environment says otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
    rejectUnauthorized: true,
  });
}

function whereOf(place: HostPlace, options: ConnectOptions) {
  return {
    host: place.name,
    port: place.port,
    lookup: checkedLookup(place, options),
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
  };
}

interface Attempt {
  readonly place: HostPlace;
  readonly ready: 'connect' | 'secureConnect';
  readonly timeoutMs: number;
}

function settle(socket: Socket, { place, ready, timeoutMs }: Attempt, callback: buildConnector.Callback): void {
  const late = () =>
    void socket.destroy(noAnswer('timeout', `no connection to "${place.name}" within ${timeoutMs} ms`));
  const timer = setTimeout(late, timeoutMs);
  const failed = (thrown: Error) => {
    clearTimeout(timer);
    callback(fromConnecting(thrown, place.name), null);
  };
  socket.once('error', failed);
  socket.once('close', () => clearTimeout(timer));
  socket.once(ready, () => {
    clearTimeout(timer);
    socket.off('error', failed);
    callback(null, socket);
  });
}

function checkedLookup(place: HostPlace, options: ConnectOptions): LookupFunction {
  const addressesOf = async (name: string) => {
    const found = await (options.resolve ?? resolveBySystem)(name);
    const wrong = faultOf(
      place,
      found.map(({ address }) => address),
      options,
    );
    if (wrong !== undefined) throw wrong;
    return [...found];
  };
  const lookup = callbackify(addressesOf);
  return (name, _, callback) =>
    lookup(name, (failure: Error | null, addresses?: LookupAddress[]) => callback(failure, addresses ?? []));
}

function resolveBySystem(name: string): Promise<readonly LookupAddress[]> {
  return systemLookup(name, { all: true, order: 'verbatim' });
}

/** One address that may not be asked is enough: which of them is connected to is not for this place to say. */
function faultOf(place: HostPlace, addresses: readonly string[], { allowedHosts }: ConnectOptions): Error | undefined {
  if (addresses.length === 0) return noAnswer('unresolved', `the name "${place.name}" has no address`);
  if (allowsName(allowedHosts, place)) return undefined;
  const inner = addresses.find(
    (address) => !isPublicAddress(address) && !allowsAddress(allowedHosts, address, place.port),
  );
  if (inner === undefined) return undefined;
  const what = inner === place.name ? `the address ${inner} is` : `"${place.name}" has the address ${inner}, which is`;
  return refused(
    `${what} no public one: correct the URL, or have the operator allow it in MILLRACE_EXTRACTOR_ALLOWED_HOSTS`,
  );
}
