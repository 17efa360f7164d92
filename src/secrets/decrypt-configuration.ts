import { MillraceError } from '../core/millrace-error.ts';
import { shortened } from '../core/shortened.ts';
import { isHashedKey } from './hashed-values.ts';
import { isCiphertext, type SecretKeys, type SecretScope } from './secret-keys.ts';

export interface Decrypting {
  readonly keys: SecretKeys;
  readonly scope: SecretScope;
}

export interface Decrypted {
  /** A new value; the one given stays as it is. */
  readonly configuration: unknown;
  /** Every secret that is in it now, each once: no log may show one. */
  readonly secrets: readonly string[];
}

/**
 * A configuration, as `parseExactJsonText` or the rendering of variables gives it, with the values of hashed keys in the clear. What is no
 * ciphertext there, as the value of a variable, stays. `secret.foreign`, naming the place, for a ciphertext that does not decrypt here.
 */
export function decryptConfiguration(configuration: unknown, { keys, scope }: Decrypting): Decrypted {
  const secrets = new Set<string>();
  const read = (value: string, path: string): string => {
    const text = isCiphertext(value) ? keys.decrypt(value, scope) : value;
    if (text === undefined) {
      const message = `the value of "${shortened(path, 200)}" cannot be decrypted: it was not made for component "${scope.purpose}" of this installation, or MILLRACE_ENCRYPTION_KEYS lacks its key`;
      throw new MillraceError('secret.foreign', message);
    }
    if (text !== '') secrets.add(text);
    return text;
  };
  const inside = (value: unknown, path: string, isHashed: boolean): unknown => {
    if (typeof value === 'string') return isHashed ? read(value, path) : value;
    if (Array.isArray(value)) return value.map((one) => inside(one, path, isHashed));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([key, one]) => {
      const place = path === '' ? key : `${path}.${key}`;
      return [key, inside(one, place, isHashedKey(key))] as const;
    });
    return Object.fromEntries(fields);
  };
  return { configuration: inside(configuration, '', false), secrets: [...secrets] };
}
