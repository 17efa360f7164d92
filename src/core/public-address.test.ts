import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  ['link-local, the metadata of clouds among it', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1']],
  ['unique-local and site-local', ['fc00::1', 'fd12:3456::1', 'fec0::1']],
  ['multicast and broadcast', ['224.0.0.1', '239.1.2.3', '255.255.255.255', 'ff02::1']],
  [
    'reserved and for documentation',
    ['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.9', '240.0.0.1', '2001:db8::1'],
  ],
  ['of IPv4 in a form of IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::7f00:1']],
  [
    'behind NAT64, 6to4 and Teredo',
    ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::'],
  ],
  ['of no assigned part of IPv6: another segment of it', ['5f00::1', '1000::1', '4000::1', '8000::1']],
  ['no address', ['', 'localhost', '2130706433', '0x7f.1', '017700000001', '127.1', '[::1]']],
])('an address that is %s is not public', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test('addresses of the internet are public, also mapped ones and those that NAT64 reaches', () => {
  const addresses = ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'];
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});
