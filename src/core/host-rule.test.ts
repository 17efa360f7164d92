import { describe, expect, it, test } from 'vitest';
import { allowsAddress, allowsName, parseHostRule, type HostRule } from './host-rule.ts';

function rules(...texts: readonly string[]): readonly HostRule[] {
  return texts.map(parseHostRule).filter((rule) => rule !== undefined);
}

describe('a name that is allowed', () => {
  it('is one in capitals and with the point of the root, too', () => {
    const allowed = rules('api.Internal');
    expect(allowsName(allowed, { name: 'API.internal.', port: 80 })).toBe(true);
    expect(allowsName(allowed, { name: 'x.api.internal', port: 80 })).toBe(false);
    expect(allowsAddress(allowed, '127.0.0.1', 80)).toBe(false);
  });

  it('is allowed at its port alone where it has one', () => {
    const allowed = rules('api.internal:8443');
    expect(allowsName(allowed, { name: 'api.internal', port: 8443 })).toBe(true);
    expect(allowsName(allowed, { name: 'api.internal', port: 443 })).toBe(false);
  });
});

test('an address is allowed in each of its forms, at its port alone where it has one', () => {
  expect(allowsAddress(rules('127.0.0.1'), '::ffff:127.0.0.1', 80)).toBe(true);
  expect(allowsAddress(rules('127.0.0.1'), '127.0.0.2', 80)).toBe(false);
  expect(allowsAddress(rules('[::1]:80'), '::1', 80)).toBe(true);
  expect(allowsAddress(rules('[::1]:80'), '::1', 81)).toBe(false);
  expect(allowsAddress(rules('::1'), '0:0::1', 81)).toBe(true);
});

test('a network allows what lies in it', () => {
  const allowed = rules('10.1.0.0/16', 'fd00::/8', '::ffff:192.168.0.0/112');
  const asked = ['10.1.255.255', '10.2.0.1', 'fd12::1', 'fe80::1', '192.168.9.9', '192.169.0.1'];
  expect(asked.filter((address) => allowsAddress(allowed, address, 443))).toEqual([
    '10.1.255.255',
    'fd12::1',
    '192.168.9.9',
  ]);
});

test.each([
  '',
  'a b',
  'http://a',
  'a:0',
  'a:65536',
  'a:',
  '10.0.0.0/33',
  '[a]:80',
  '[10.0.0.1]',
  '*',
  '127.1',
  '0x7f000001',
  '-a',
])('%j is neither a name nor an address nor a network', (text) => expect(parseHostRule(text)).toBeUndefined());
