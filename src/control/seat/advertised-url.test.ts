import type { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { advertisedUrl } from './advertised-url.ts';

type Interfaces = ReturnType<typeof networkInterfaces>;

const address = (text: string, internal = false): NonNullable<Interfaces[string]>[number] => ({
  address: text,
  netmask: '',
  mac: '',
  internal,
  cidr: null,
  ...(text.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
});

const interfaces: Interfaces = {
  lo: [address('127.0.0.1', true), address('::1', true)],
  eth0: [address('fe80::1'), address('2001:db8::7'), address('10.0.0.7')],
  eth1: [address('10.1.0.7')],
};

test.each([
  ['10.1.0.7', 'http://10.1.0.7:8000'],
  ['127.0.0.1', 'http://127.0.0.1:8000'],
  ['2001:db8::7', 'http://[2001:db8::7]:8000'],
  ['0.0.0.0', 'http://10.0.0.7:8000'],
  ['::', 'http://10.0.0.7:8000'],
])('who listens on %s is reached at %s', (host, url) => {
  expect(advertisedUrl({ host, port: 8000 }, interfaces)).toBe(url);
});

test('a machine with an outer address of IPv6 only, or with none', () => {
  const wildcard = { host: '::', port: 8000 };
  expect(advertisedUrl(wildcard, { eth0: [address('fe80::1'), address('2001:db8::7')] })).toBe(
    'http://[2001:db8::7]:8000',
  );
  expect(advertisedUrl(wildcard, { lo: [address('127.0.0.1', true)] })).toBe('http://127.0.0.1:8000');
});
