import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isCiphertext, isKeyText, nonceBytes, SecretKeys } from './secret-keys.ts';

const [older, newer] = ['11'.repeat(32), Buffer.alloc(32, 2).toString('base64')];
const scope = { installation: 'here', purpose: 'generic-extractor' };
const nonce = new Uint8Array(nonceBytes).fill(7);
const value = 'päss\u0000word';

function sealed(keys: SecretKeys, text = value): string {
  return keys.encrypt(text, scope, nonce) ?? '';
}

describe('A59: keys of secrets', () => {
  const keys = new SecretKeys([older]);

  test('A59: a ciphertext decrypts to its value, and holds nothing of it', () => {
    const ciphertext = sealed(keys);
    expect(isCiphertext(ciphertext)).toBe(true);
    expect(keys.decrypt(ciphertext, scope)).toBe(value);
    expect(Buffer.from(ciphertext.split('::')[3] ?? '', 'base64url').includes('word')).toBe(false);
  });

  test.each([
    ['another component', { ...scope, purpose: 'variables' }],
    ['another installation', { ...scope, installation: 'there' }],
    ['a scope that is put together otherwise', { installation: 'her', purpose: 'e\ngeneric-extractor' }],
  ])('A59: it does not decrypt for %s', (_, other) => {
    expect(keys.decrypt(sealed(keys), other)).toBeUndefined();
  });

  test('A59: whichever bit of it is changed, it does not decrypt', () => {
    const [, , id = '', text = ''] = sealed(keys, 'x').split('::');
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(keys.decrypt(`MR::1::${id}::${forged.toString('base64url')}`, scope)).toBeUndefined();
    }
    for (let length = 0; length < bytes.length; length += 1)
      expect(keys.decrypt(`MR::1::${id}::${bytes.subarray(0, length).toString('base64url')}`, scope)).toBeUndefined();
  });

  test('A59: another text of the same bytes is no ciphertext', () => {
    // 12 + 1 + 16 bytes end in a digit of which two bits count for nothing.
    const ciphertext = sealed(keys, 'x');
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits.indexOf(ciphertext.at(-1) ?? '');
    const twin = `${ciphertext.slice(0, -1)}${digits[last ^ 1] ?? ''}`;
    const bytesOf = (text: string): Buffer => Buffer.from(text.split('::')[3] ?? '', 'base64url');
    expect(bytesOf(twin)).toEqual(bytesOf(ciphertext));
    expect(keys.decrypt(twin, scope)).toBeUndefined();
  });

  test('A59: keys rotate: the first encrypts, all decrypt, one that is taken away does not', () => {
    const before = sealed(keys);
    const rotated = new SecretKeys([newer, older]);
    const after = sealed(rotated);
    expect(rotated.decrypt(before, scope)).toBe(value);
    expect(rotated.decrypt(after, scope)).toBe(value);
    expect([before, after].map((one) => rotated.isCurrent(one))).toEqual([false, true]);
    expect(keys.decrypt(after, scope)).toBeUndefined();
    expect(new SecretKeys([newer]).decrypt(before, scope)).toBeUndefined();
  });

  test('A59: without a key nothing is encrypted', () => {
    const none = new SecretKeys([]);
    expect(none.canEncrypt).toBe(false);
    expect(none.encrypt(value, scope, nonce)).toBeUndefined();
    expect(none.isCurrent(sealed(keys))).toBe(false);
  });

  test('A59: no JSON and no text of the keys shows one', () => {
    const shown = `${JSON.stringify(keys)} ${inspect(keys, { depth: 9, showHidden: true })}`;
    expect(shown).not.toContain(older.slice(0, 8));
  });

  test.each([
    [older, true],
    [newer, true],
    ['', false],
    ['11'.repeat(31), false],
    [Buffer.alloc(31).toString('base64'), false],
    [`${older} `, false],
  ])('A59: %j as the text of a key', (text, isOne) => expect(isKeyText(text)).toBe(isOne));
});
