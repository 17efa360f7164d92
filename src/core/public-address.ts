import ipaddr from 'ipaddr.js';

/** Networks whose addresses hold one of IPv4 in their last 32 bits, which a router of them reaches: mapped ones, and NAT64 (RFC 6052). */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Addresses of IPv6 that are routed in the internet at all (RFC 4291, IANA). */
const global = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address lies in the public internet: not loopback, link-local, private, unique-local, multicast, unspecified, reserved or for
 * documentation, in whatever form. What is no address lies nowhere.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublic4(ipaddr.IPv4.parse(address));
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  if (carriers.some((carrier) => parsed.match(carrier))) return isPublic4(lastOf(parsed));
  return parsed.match(global) && parsed.range() === 'unicast';
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}

function lastOf(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
