import { limits } from '../core/limits.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { shortened } from '../core/shortened.ts';
import { changeHashed, hashedValues, type HashedValue } from './hashed-values.ts';
import { isCiphertext, type SecretKeys, type SecretScope } from './secret-keys.ts';

export interface Encrypting {
  readonly keys: SecretKeys;
  readonly scope: SecretScope;
  /** Random bytes, `nonceBytes` of them, anew at each call. */
  readonly nonce: () => Uint8Array;
}

/**
 * The JSON text of a configuration as it is stored: hashed values as ciphertext. What is ciphertext stays, and a value that `before` has
 * at the same place keeps its ciphertext, so that storing the same again changes nothing. `secret.noKey` without a key; `secret.foreign`
 * for a ciphertext of another component, installation or key that `before` does not have; `secret.tooMany`.
 */
export function encryptConfiguration(text: string, before: string, encrypting: Encrypting): string {
  // Most configurations have no secret, and looking for a character is much faster than reading.
  if (!mayHaveHashed(text)) return text;
  const known = new Known(before, encrypting);
  let count = 0;
  return changeHashed(text, (found) => {
    count += 1;
    if (count > limits.configurationSecrets) throw tooMany();
    return encrypted(found, known, encrypting);
  });
}

/**
 * A placeholder alone is no secret: the value that takes its place is kept elsewhere, and would not find it in a ciphertext.
 */
const onePlaceholder = /^\s*\{\{\s*[\w.-]+(?: [\w.-]+)*\s*\}\}\s*$/;

function mayHaveHashed(text: string): boolean {
  return text.includes('#') || /\\u0023/i.test(text);
}

function encrypted({ path, value }: HashedValue, known: Known, { keys, scope, nonce }: Encrypting): string {
  if (isCiphertext(value)) {
    if (known.has(value) || keys.decrypt(value, scope) !== undefined) return value;
    const message = `the value of "${shown(path)}" is a ciphertext that was not made for component "${scope.purpose}" of this installation, or whose key is gone; send the value itself`;
    throw new MillraceError('secret.foreign', message);
  }
  if (onePlaceholder.test(value)) return value;
  const made = known.of({ path, value }) ?? keys.encrypt(value, scope, nonce());
  if (made !== undefined) return made;
  const message = `"${shown(path)}" holds a secret, and this installation has no key to encrypt it: set MILLRACE_ENCRYPTION_KEYS in its processes with the roles admin and work`;
  throw new MillraceError('secret.noKey', message);
}

function tooMany(): MillraceError {
  const message = `the configuration has more than ${limits.configurationSecrets} values of keys with "#", which are secrets; put one value into the vault and name it in all places`;
  return new MillraceError('secret.tooMany', message);
}

function shown(path: string): string {
  return shortened(path, 200);
}

/** The ciphertexts that are stored now. */
class Known {
  readonly #ciphertexts = new Set<string>();
  /** By place, of those of the key that encrypts now. */
  readonly #values = new Map<string, string>();

  constructor(before: string, { keys, scope }: Encrypting) {
    if (!mayHaveHashed(before)) return;
    for (const { path, value: ciphertext } of hashedValues(before)) {
      if (!isCiphertext(ciphertext)) continue;
      this.#ciphertexts.add(ciphertext);
      const value = keys.isCurrent(ciphertext) ? keys.decrypt(ciphertext, scope) : undefined;
      if (value !== undefined) this.#values.set(placeOf({ path, value }), ciphertext);
    }
  }

  has(ciphertext: string): boolean {
    return this.#ciphertexts.has(ciphertext);
  }

  of(found: HashedValue): string | undefined {
    return this.#values.get(placeOf(found));
  }
}

function placeOf({ path, value }: HashedValue): string {
  return JSON.stringify([path, value]);
}
