import { withoutUser } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';

/** Throws an `ExtractorError` for an address that may not be asked. */
export type CheckAddress = (url: string) => void;

interface AllowedHost {
  /** With its colon; undefined: any. */
  readonly protocol: string | undefined;
  readonly hostname: string;
  /** Undefined: any. */
  readonly port: string | undefined;
  /** Without a slash at its end. */
  readonly path: string;
}

/** Reads `image_parameters.allowed_hosts`; without them every address may be asked. */
export function parseAllowedHosts(imageParameters: JsonValue | undefined): CheckAddress {
  const list = isObject(imageParameters) ? fieldOf(imageParameters, 'allowed_hosts') : undefined;
  if (list === undefined || isEmpty(list)) return () => undefined;
  if (!isList(list)) throw new ExtractorError("'image_parameters.allowed_hosts' must be a list.");
  const hosts = list.map(allowedHost);
  return (url) => {
    const address = new URL(url);
    if (!hosts.some((host) => allows(host, address)))
      throw new ExtractorError(`URL "${withoutUser(url)}" is not in the allowed hosts whitelist.`);
  };
}

/** `host` is a name, or a URL that may have the other fields in it. */
function allowedHost(entry: JsonValue): AllowedHost {
  const fields: JsonObject = isObject(entry) ? entry : {};
  const host = fieldOf(fields, 'host');
  if (typeof host !== 'string' || host === '')
    throw new ExtractorError("Each of 'image_parameters.allowed_hosts' must have a 'host'.");
  const scheme = optional(fields, 'scheme');
  const isUrl = host.includes('://');
  const url = URL.parse(isUrl ? host : `${scheme ?? 'https'}://${host}`);
  if (url === null) throw new ExtractorError(`The allowed host "${host}" is neither a name nor a URL.`);
  const protocol = isUrl ? url.protocol : scheme === undefined ? undefined : `${scheme.toLowerCase()}:`;
  const path = optional(fields, 'endpoint') ?? url.pathname;
  return {
    protocol,
    hostname: url.hostname,
    port: optional(fields, 'port') ?? (isUrl ? portOf(url) : undefined),
    path: `/${path.replace(/^\/+/, '')}`.replace(/\/+$/, ''),
  };
}

function optional(fields: JsonObject, name: string): string | undefined {
  const value = fieldOf(fields, name);
  return isEmpty(value) ? undefined : shown(value);
}

/** A URL does not have the usual one of its scheme. */
function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

function allows(host: AllowedHost, address: URL): boolean {
  if (host.protocol !== undefined && host.protocol !== address.protocol) return false;
  if (host.hostname !== address.hostname) return false;
  if (host.port !== undefined && host.port !== portOf(address)) return false;
  return `${address.pathname}/`.startsWith(`${host.path}/`);
}
