import { isSameBucket } from './bucket.ts';
import type { ComponentId } from './component.ts';
import type { Incarnation, SinkKey } from './ids.ts';
import type { Stamp } from './source.ts';

/** What a token may do. */
export type TokenScope =
  | { readonly kind: 'admin' }
  | { readonly kind: 'readOnly' }
  | {
      /** Of a program that has to do with components, and with nothing else. */
      readonly kind: 'limited';
      /** It may read and write all buckets, their tables and files, and the configurations of all components. */
      readonly canManageBuckets: boolean;
      /** Components whose configurations it may read and write. */
      readonly componentAccess: readonly ComponentId[];
      /** Buckets whose tables it may read. */
      readonly readBuckets: readonly string[];
      /** Buckets whose tables it may read and change. */
      readonly writeBuckets: readonly string[];
    }
  | {
      /** Of one incarnation of a sink; the import needs it, the management API refuses it. */
      readonly kind: 'sink';
      readonly sink: SinkKey;
      readonly incarnation: Incarnation;
      /** Buckets that it may write, for example `in.c-shop`: those of the table, and of earlier ones for which rows may wait. */
      readonly writeBuckets: readonly string[];
      readonly canReadAllFileUploads: boolean;
    };

/** Of the token that the installation begins with. */
export const rootTokenId = '1';

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

/** True when the token may see a bucket with its tables; without one: some bucket. */
export function mayReadTables(token: Token, bucket?: string): boolean {
  const { scope } = token;
  const isNamed = scope.kind === 'limited' && names(scope.readBuckets, bucket);
  return isNamed || mayReadAllTables(token) || mayWriteTables(token, bucket);
}

/** True when the token may change the tables of a bucket; without one: of some bucket. */
export function mayWriteTables(token: Token, bucket?: string): boolean {
  const { scope } = token;
  return mayManageBuckets(token) || (scope.kind === 'limited' && names(scope.writeBuckets, bucket));
}

function names(buckets: readonly string[], bucket: string | undefined): boolean {
  return buckets.some((id) => bucket === undefined || isSameBucket(id, bucket));
}

/** True when the token may make and delete buckets, and change all that is in them. */
export function mayManageBuckets({ scope }: Token): boolean {
  return scope.kind === 'admin' || (scope.kind === 'limited' && scope.canManageBuckets);
}

/** True when the token may see all buckets, and all files; others see those that they prepared. */
export function mayReadAllTables(token: Token): boolean {
  return token.scope.kind === 'readOnly' || mayManageBuckets(token);
}

/** True when the token may see the configurations of a component; without one: of some component. */
export function mayReadComponent(token: Token, componentId?: ComponentId): boolean {
  return token.scope.kind === 'readOnly' || mayWriteComponent(token, componentId);
}

/** True when the token may change the configurations of a component, and run them; without one: of some component. */
export function mayWriteComponent({ scope }: Token, componentId?: ComponentId): boolean {
  switch (scope.kind) {
    case 'admin':
      return true;
    case 'limited': {
      const { canManageBuckets, componentAccess } = scope;
      const isNamed = componentId === undefined ? componentAccess.length > 0 : componentAccess.includes(componentId);
      return canManageBuckets || isNamed;
    }
    case 'readOnly':
    case 'sink':
      return false;
    default:
      return scope satisfies never;
  }
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
