import ipaddr from 'ipaddr.js';

/**
 * What stands for one sender where many addresses are one's own: an IPv4 address, also as a dual-stack listener shows it, or the /64 of an
 * IPv6 address. What is no address is answered as it is.
 */
export function senderNetwork(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return 'parts' in parsed ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
