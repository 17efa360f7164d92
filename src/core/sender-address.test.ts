import { describe, expect, test } from 'vitest';
import { parseTrustedProxies, senderAddress } from './sender-address.ts';

const none = parseTrustedProxies([]);
const proxies = parseTrustedProxies(['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.1']);

function sender(peer: string, xForwardedFor?: string, forwarded?: string): string {
  return senderAddress({ peer, xForwardedFor, forwarded }, proxies);
}

describe('A4: the address of the sender', () => {
  test('is the peer when the peer is not trusted, loopback neither (A34)', () => {
    expect(senderAddress({ peer: '127.0.0.1', xForwardedFor: '1.2.3.4', forwarded: 'for=1.2.3.4' }, none)).toBe(
      '127.0.0.1',
    );
    expect(sender('203.0.113.1', '1.2.3.4')).toBe('203.0.113.1');
  });

  test('is IPv4 for an IPv4-mapped peer', () => {
    expect(senderAddress({ peer: '::ffff:203.0.113.1', xForwardedFor: undefined, forwarded: undefined }, none)).toBe(
      '203.0.113.1',
    );
    for (const hop of ['::ffff:1.2.3.4', '::FFFF:1.2.3.4', '::ffff:102:304', '[0:0:0:0:0:ffff:102:304]:80'])
      expect(sender('::ffff:10.0.0.1', hop)).toBe('1.2.3.4');
  });

  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['1.2.3.4, 10.1.1.1 ,10.2.2.2', '1.2.3.4'],
    ['1.2.3.4:5678', '1.2.3.4'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['1.2.3.4, 192.0.2.1', '1.2.3.4'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['1.2.3.4, unknown', '10.0.0.1'],
    ['1.2.3.4, , 10.2.2.2', '10.2.2.2'],
    ['1.2.3', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('behind a trusted proxy with X-Forwarded-For "%s" is %s', (header, expected) => {
    expect(sender('10.0.0.1', header)).toBe(expected);
  });

  test.each([
    ['for=1.2.3.4;proto=https;by=10.0.0.1', '1.2.3.4'],
    ['for=6.6.6.6, For="1.2.3.4:80"', '1.2.3.4'],
    ['proto=http; for="[2001:db8::1]:4711", for=fd00::5', '2001:db8::1'],
    ['for=1.2.3.4, for=_hidden', '10.0.0.1'],
    ['for=1.2.3.4, proto=http', '10.0.0.1'],
  ])('behind a trusted proxy with Forwarded "%s" is %s', (header, expected) => {
    expect(sender('10.0.0.1', undefined, header)).toBe(expected);
  });

  test('comes from X-Forwarded-For when both are there', () => {
    expect(sender('::1', '1.2.3.4', 'for=5.6.7.8')).toBe('1.2.3.4');
  });

  test('D9: a trusted proxy that is no address is named', () => {
    expect(() => parseTrustedProxies(['10.0.0.0/8', 'proxy.local'])).toThrow(/"proxy.local"/);
    expect(() => parseTrustedProxies(['10.0.0.0/99'])).toThrow(/"10.0.0.0\/99"/);
  });
});
