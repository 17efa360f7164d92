import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** What a ciphertext is bound to: it decrypts nowhere else. */
export interface SecretScope {
  /** Id of the installation. */
  readonly installation: string;
  /** Id of the component whose configuration holds it, or `vault`. */
  readonly purpose: string;
}

interface SecretKey {
  /** Tells keys apart in ciphertexts, and nothing of the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** Of the random bytes that each value needs. */
export const nonceBytes = 12;
const tagBytes = 16;
const form = /^MR::1::([0-9a-f]{16})::([A-Za-z0-9_-]+)$/;

/** The keys of an installation: the first encrypts, all decrypt. They appear in no JSON and no inspection. */
export class SecretKeys {
  readonly #keys: readonly SecretKey[];

  /** Of texts that `isKeyText` takes. */
  constructor(texts: readonly string[]) {
    this.#keys = texts.map((text) => {
      const bytes = bytesOf(text);
      const id = createHash('sha256').update('millrace key id\n').update(bytes).digest('hex').slice(0, 16);
      return { id, bytes };
    });
  }

  /** The texts of the keys, for a thread of this process. */
  reveal(): readonly string[] {
    return this.#keys.map(({ bytes }) => bytes.toString('hex'));
  }

  /** False without any key. */
  get canEncrypt(): boolean {
    return this.#keys.length > 0;
  }

  /** The ciphertext of a value; `nonce` are `nonceBytes` random bytes that no other value gets. Undefined without any key. */
  encrypt(value: string, scope: SecretScope, nonce: Uint8Array): string | undefined {
    const [key] = this.#keys;
    if (key === undefined) return undefined;
    const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes });
    cipher.setAAD(boundTo(scope));
    const sealed = Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `MR::1::${key.id}::${sealed.toString('base64url')}`;
  }

  /** The value; undefined for what is no ciphertext of this scope by one of the keys. */
  decrypt(ciphertext: string, scope: SecretScope): string | undefined {
    const [, id, text = ''] = form.exec(ciphertext) ?? [];
    const key = this.#keys.find((one) => one.id === id);
    const sealed = Buffer.from(text, 'base64url');
    // Other texts of the same bytes are no ciphertexts: each value has one.
    const isWhole = sealed.length >= nonceBytes + tagBytes && sealed.toString('base64url') === text;
    if (key === undefined || !isWhole) return undefined;
    const decipher = createDecipheriv(algorithm, key.bytes, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(boundTo(scope)).setAuthTag(sealed.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      return undefined;
    }
  }

  /** True for a ciphertext of the key that encrypts now. */
  isCurrent(ciphertext: string): boolean {
    return form.exec(ciphertext)?.[1] === this.#keys[0]?.id;
  }

  /** True for a ciphertext of one of the keys. */
  knows(ciphertext: string): boolean {
    const id = form.exec(ciphertext)?.[1];
    return this.#keys.some((key) => key.id === id);
  }
}

/** True for a text that has the form of a ciphertext, whoever made it. */
export function isCiphertext(text: string): boolean {
  return form.test(text);
}

/** True for the text of a key: 32 bytes, hexadecimal or in Base64. */
export function isKeyText(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text) || /^[A-Za-z0-9+/]{43}=$/.test(text);
}

function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, text.length === 2 * keyBytes ? 'hex' : 'base64');
  if (!isKeyText(text) || bytes.length !== keyBytes) throw new RangeError('a key has 32 bytes');
  return bytes;
}

/** Ids hold no line end, so that no two scopes have one text. */
function boundTo({ installation, purpose }: SecretScope): Buffer {
  return Buffer.from(`millrace secret 1\n${installation}\n${purpose}`);
}
