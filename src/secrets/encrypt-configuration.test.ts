import { describe, expect, test } from 'vitest';
import { parseExactJsonText, parseJsonText } from '../core/parse-json-text.ts';
import { decryptConfiguration } from './decrypt-configuration.ts';
import { encryptConfiguration } from './encrypt-configuration.ts';
import { nonceBytes, SecretKeys } from './secret-keys.ts';

const [older, newer] = ['11'.repeat(32), '22'.repeat(32)];
const scope = { installation: 'here', purpose: 'generic-extractor' };
const keys = new SecretKeys([older]);

/** Each value gets a nonce of its own. */
let made = 0;
const nonce = (): Uint8Array => {
  const bytes = new Uint8Array(nonceBytes);
  new DataView(bytes.buffer).setUint32(0, (made += 1));
  return bytes;
};
const encrypted = (text: string, before = '{}', by = keys): string =>
  encryptConfiguration(text, before, { keys: by, scope, nonce });
const decrypted = (text: string, by = keys) => decryptConfiguration(parseExactJsonText(text), { keys: by, scope });

describe('A59: secrets of a configuration', () => {
  test('A59: plain values of keys with # are ciphertext, everything else is as it was written', () => {
    const text =
      '{"b":1.50,"#a":"s","c":{"#n":12345678901234567890,"#t":true,"#null":null,"d":"#no"},"#list":["x",{"y":"z"}]}';
    const stored = encrypted(text);
    const parts = stored.split(/"MR::1::[^"]*"/);
    expect(parts).toEqual([
      '{"b":1.50,"#a":',
      ',"c":{"#n":',
      ',"#t":',
      ',"#null":null,"d":"#no"},"#list":[',
      ',{"y":"z"}]}',
    ]);
    expect(decrypted(stored)).toEqual({
      configuration: {
        b: 1.5,
        '#a': 's',
        c: { '#n': '12345678901234567890', '#t': 'true', '#null': null, d: '#no' },
        '#list': ['x', { y: 'z' }],
      },
      secrets: ['s', '12345678901234567890', 'true', 'x'],
    });
  });

  test('A59: a key that is written with escapes is one with #, too', () => {
    expect(encrypted(String.raw`{"\u0023a":"s"}`)).toMatch(/^\{"\\u0023a":"MR::1::[^"]*"\}$/);
  });

  test('A59: the same value at the same place keeps its ciphertext, at another place it gets one of its own', () => {
    const stored = encrypted('{"#a":"s"}');
    expect(encrypted('{"#a":"s"}', stored)).toBe(stored);
    const moved = parseJsonText(encrypted('{"#b":"s"}', stored)) as Record<string, string>;
    expect(stored).not.toContain(moved['#b']);
  });

  test('A59: what is stored with an older key stays, and is encrypted with the first key when its value is sent', () => {
    const rotated = new SecretKeys([newer, older]);
    const stored = encrypted('{"#a":"s"}');
    expect(encrypted(stored, stored, rotated)).toBe(stored);
    const again = encrypted('{"#a":"s"}', stored, rotated);
    expect(decrypted(again, new SecretKeys([newer])).secrets).toEqual(['s']);
    expect(() => decrypted(stored, new SecretKeys([newer]))).toThrow('MILLRACE_ENCRYPTION_KEYS lacks its key');
  });

  test('A59: a ciphertext that does not decrypt is refused by its place, unless it is stored already', () => {
    const stored = encrypted('{"a":{"#b":"s"}}');
    const other = new SecretKeys([newer]);
    expect(() => encrypted(stored, '{}', other)).toThrow('the value of "a.#b" is a ciphertext');
    expect(encrypted(stored, stored, other)).toBe(stored);
  });

  test('A59: a placeholder alone stays, one with text around it is a secret', () => {
    expect(encrypted('{"#a":"{{ vault.b }}"}')).toBe('{"#a":"{{ vault.b }}"}');
    for (const text of ['Bearer {{ vault.b }}', '{{a}}{{b}}', '{{a}', '{{{a}}}'])
      expect(encrypted(JSON.stringify({ '#a': text }))).toMatch(/^\{"#a":"MR::1::/);
  });

  test('A59: without a key a secret is refused, and not repeated', () => {
    const none = new SecretKeys([]);
    expect(encrypted('{"a":"#"}', '{}', none)).toBe('{"a":"#"}');
    expect(() => encrypted('{"#a":"battery"}', '{}', none)).toThrow(/^(?!.*battery).*MILLRACE_ENCRYPTION_KEYS/);
  });

  test('A59: the value of a variable under such a key is a secret, too, and no field is lost', () => {
    const text = '{"#a":"plain","__proto__":{"#b":"c"},"e":""}';
    const { configuration, secrets } = decrypted(text);
    expect(JSON.stringify(configuration)).toBe(text);
    expect(secrets).toEqual(['plain', 'c']);
  });
});
