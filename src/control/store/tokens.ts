import { createHash, timingSafeEqual } from 'node:crypto';
import { tokenDocuments } from '../../documents/token-document.ts';
import type { Stamp } from '../../core/source.ts';
import { rootTokenId, type Token, type TokenScope } from '../../core/token.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { changeDocument, putDocument, removeDocument } from '../../documents/change-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { takeTokenId } from './counter.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { randomText, type RandomBytes } from './random-text.ts';

/** SHA-256 of a token's text, hexadecimal. */
export function tokenHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface TokenStoreOptions {
  readonly catalog: Catalog;
  readonly random: RandomBytes;
  readonly projectId: number;
  readonly rootTokenHash: string;
}

export interface IssuedToken {
  readonly token: Token;
  /** Shown once and kept nowhere. */
  readonly text: string;
}

/** The tokens of the installation. The root token has id 1 and lives outside of the catalog. */
export class TokenStore {
  readonly #options: TokenStoreOptions;
  readonly #root: Token;

  constructor(options: TokenStoreOptions) {
    this.#options = options;
    this.#root = {
      id: rootTokenId,
      description: 'root token',
      scope: { kind: 'admin' },
      hash: options.rootTokenHash,
      created: { at: new Date(0).toISOString(), by: { type: 'system' } },
    };
  }

  /** The token of a text, undefined when there is none or it is expired; takes the same time whatever is wrong with it. */
  async authenticate(text: string, now: number, options: Waiting): Promise<Token | undefined> {
    const hash = tokenHash(text);
    if (sameHash(hash, this.#root.hash)) return this.#root;
    const id = /^[0-9]{1,15}-([0-9]{1,15})-[0-9A-Za-z]+$/.exec(text)?.[1];
    const token = id === undefined ? undefined : await this.find(id, options);
    if (token === undefined || !sameHash(hash, token.hash)) return undefined;
    return token.expiresAt !== undefined && Date.parse(token.expiresAt) <= now ? undefined : token;
  }

  async find(id: string, options: Waiting): Promise<Token | undefined> {
    if (id === this.#root.id) return this.#root;
    return (await readDocument(this.#options.catalog, { kind: tokenDocuments, id }, options))?.value;
  }

  /** All tokens, the root token first, then by number. */
  async list(options: Waiting): Promise<readonly Token[]> {
    const tokens = await listDocuments(this.#options.catalog, { kind: tokenDocuments }, options);
    return [this.#root, ...tokens.toSorted((a, b) => Number(a.id) - Number(b.id))];
  }

  /** Makes a token; its text is in the answer and nowhere else. */
  async issue(
    {
      description,
      scope,
      created,
      expiresAt,
    }: {
      readonly description: string;
      readonly scope: TokenScope;
      readonly created: Stamp;
      readonly expiresAt?: string;
    },
    options: Waiting,
  ): Promise<IssuedToken> {
    const { catalog, random } = this.#options;
    const id = await takeTokenId(catalog, randomText(random, 16), options);
    const text = this.#textOf(id);
    const expiry = expiresAt === undefined ? {} : { expiresAt };
    const token: Token = { id, description, scope, hash: tokenHash(text), created, ...expiry };
    await putDocument(catalog, { kind: tokenDocuments, id, value: token }, options);
    return { token, text };
  }

  /** Gives a token a new text; the one before is refused from then on. Undefined when there is no such token. */
  async refresh(id: string, at: string, options: Waiting): Promise<IssuedToken | undefined> {
    const text = this.#textOf(id);
    const token = await this.#change(id, (before) => ({ ...before, hash: tokenHash(text), refreshedAt: at }), options);
    return token === undefined ? undefined : { token, text };
  }

  /** Replaces what a token may do; does nothing when it is gone. */
  async rescope({ id }: Token, scope: TokenScope, options: Waiting): Promise<void> {
    await this.#change(id, (before) => ({ ...before, scope }), options);
  }

  /** Does nothing when there is none. */
  async revoke(id: string, options: Waiting): Promise<void> {
    await removeDocument(this.#options.catalog, { collection: 'token', id }, options);
  }

  #textOf(id: string): string {
    const { projectId, random } = this.#options;
    return `${projectId}-${id}-${randomText(random, 40)}`;
  }

  async #change(id: string, change: (before: Token) => Token, options: Waiting): Promise<Token | undefined> {
    const changed = await changeDocument(
      this.#options.catalog,
      { kind: tokenDocuments, id, change: (before) => (before === undefined ? undefined : change(before)) },
      options,
    );
    return changed?.value;
  }
}
