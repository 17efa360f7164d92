import ipaddr from 'ipaddr.js';

/** What an operator allows to be asked: a name or a network, at one port or at all. */
export type HostRule =
  | { readonly kind: 'name'; readonly name: string; readonly port: number | undefined }
  | {
      readonly kind: 'network';
      readonly network: ipaddr.IPv4 | ipaddr.IPv6;
      readonly bits: number;
      readonly port: number | undefined;
    };

/** Reads `name`, `name:port`, an address, `address:port`, `[address]:port` or a CIDR range; undefined for anything else. */
export function parseHostRule(text: string): HostRule | undefined {
  if (text.includes('/')) return ipaddr.isValidCIDR(text) ? networkOf(...ipaddr.parseCIDR(text)) : undefined;
  if (ipaddr.IPv6.isValid(text)) return addressRule(text, undefined);
  const { bracketed, plain, digits } = form.exec(text)?.groups ?? {};
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  if (bracketed !== undefined) return ipaddr.IPv6.isValid(bracketed) ? addressRule(bracketed, port) : undefined;
  if (plain === undefined) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(plain)) return addressRule(plain, port);
  // As browsers and resolvers do, other spellings of numbers are addresses and no names.
  return /^[\d.]+$|^0x/i.test(plain) ? undefined : { kind: 'name', name: plainName(plain), port };
}

const form = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_.])?))(?::(?<digits>\d{1,5}))?$/i;

function addressRule(text: string, port: number | undefined): HostRule {
  const network = ipaddr.process(text);
  return { kind: 'network', network, bits: network.kind() === 'ipv4' ? 32 : 128, port };
}

/** One of IPv4 in its IPv6 form is the same network. */
function networkOf(network: ipaddr.IPv4 | ipaddr.IPv6, bits: number): HostRule {
  if (bits >= 96 && 'isIPv4MappedAddress' in network && network.isIPv4MappedAddress())
    return { kind: 'network', network: network.toIPv4Address(), bits: bits - 96, port: undefined };
  return { kind: 'network', network, bits, port: undefined };
}

/** A rule as `parseHostRule` reads it. */
export function formatHostRule(rule: HostRule): string {
  const port = rule.port === undefined ? '' : `:${rule.port}`;
  if (rule.kind === 'name') return `${rule.name}${port}`;
  const { network, bits } = rule;
  if (port === '') return `${network.toString()}/${bits}`;
  return network.kind() === 'ipv6' ? `[${network.toString()}]${port}` : `${network.toString()}${port}`;
}

/** Where a connection goes. */
export interface HostPlace {
  readonly name: string;
  readonly port: number;
}

/** Whether the name itself is allowed, whatever addresses it has. */
export function allowsName(rules: readonly HostRule[], { name, port }: HostPlace): boolean {
  const asked = plainName(name);
  return rules.some((rule) => rule.kind === 'name' && rule.name === asked && isAt(rule, port));
}

/** Whether the address is allowed, by whatever name it was found. An IPv4 address counts in its IPv6 form, too. */
export function allowsAddress(rules: readonly HostRule[], address: string, port: number): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return rules.some(
    (rule) =>
      rule.kind === 'network' &&
      isAt(rule, port) &&
      rule.network.kind() === parsed.kind() &&
      parsed.match(rule.network, rule.bits),
  );
}

function isAt({ port }: HostRule, asked: number): boolean {
  return port === undefined || port === asked;
}

/** Names are the same in capitals, and with the point of the root behind them. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
