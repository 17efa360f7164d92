import type { Incarnation, SinkKey } from './ids.ts';
import type { Stamp } from './source.ts';

/** What a token may do. */
export type TokenScope =
  | { readonly kind: 'admin' }
  | { readonly kind: 'readOnly' }
  | {
      /** Of one incarnation of a sink; the import needs it, the management API refuses it. */
      readonly kind: 'sink';
      readonly sink: SinkKey;
      readonly incarnation: Incarnation;
      /** Buckets that it may write, for example `in.c-shop`: those of the table, and of earlier ones for which rows may wait. */
      readonly writeBuckets: readonly string[];
      readonly canReadAllFileUploads: boolean;
    };

/** What a token of a person or a program may be. */
export type TokenRole = Exclude<TokenScope['kind'], 'sink'>;

/** A token of the API, collection `token` under its id. Its text is known to its holder only. */
export interface Token {
  /** A number as text. */
  readonly id: string;
  readonly description: string;
  readonly scope: TokenScope;
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly created: Stamp;
  /** ISO time at which its text was last replaced; absent: never. */
  readonly refreshedAt?: string;
  /** ISO time after which it is refused; absent: never. */
  readonly expiresAt?: string;
}

/** True for what can be the id of a token; its text, mistaken for the id, cannot. */
export function isTokenId(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}

/** True when the token lets an import write the bucket for this incarnation. */
export function mayImport(token: Token, incarnation: Incarnation, bucket: string): boolean {
  const { scope } = token;
  return (
    scope.kind === 'sink' &&
    scope.incarnation === incarnation &&
    scope.canReadAllFileUploads &&
    scope.writeBuckets.includes(bucket)
  );
}
