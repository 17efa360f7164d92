import type { BucketId } from './bucket.ts';
import type { BranchId, SinkKey, SourceKey } from './ids.ts';
import type { ConfigurationKey } from './configuration.ts';
import type { By } from './source.ts';
import type { TableId } from './table-id.ts';
import type { VaultKey } from './vault-variable.ts';

/** What a change was made to. */
export type AuditObject =
  | ({ readonly kind: 'source' } & SourceKey)
  | ({ readonly kind: 'sink' } & SinkKey)
  | { readonly kind: 'token'; readonly tokenId: string }
  | { readonly kind: 'table'; readonly tableId: TableId }
  | { readonly kind: 'bucket'; readonly bucketId: BucketId }
  | { readonly kind: 'file'; readonly fileId: string }
  | ({ readonly kind: 'configuration' } & ConfigurationKey)
  | ({ readonly kind: 'schedule' } & ConfigurationKey)
  | ({ readonly kind: 'vaultVariable' } & VaultKey)
  | { readonly kind: 'job'; readonly jobId: string };

/** An object as it stood, without secrets, hashes and texts of tokens; bounded in size. */
export type AuditedDefinition = Readonly<Record<string, unknown>>;

interface AuditEntryBase {
  /** Digits; a later entry has a greater number. */
  readonly id: string;
  /** The branch whose trail it stands in; what belongs to no branch stands in the trail of the default one. */
  readonly branchId: BranchId;
  /** Name of the API's operation, for example `createSink`. */
  readonly operation: string;
  /** Absent as long as nobody knows what is being made. */
  readonly object?: AuditObject;
  /** ISO time at which it was asked for. */
  readonly at: string;
  readonly by: By;
  /** The exception id that an answer of status 500 or more to this request has. */
  readonly requestId: string;
  readonly taskId?: string;
  readonly before?: AuditedDefinition;
}

/** How a change ended. Neither `before` nor `after`: the definition is the same. Only one: it was made, or is gone. */
type AuditEnd = {
  readonly finishedAt: string;
  readonly after?: AuditedDefinition;
} & (
  | { readonly outcome: 'success' }
  | { readonly outcome: 'error'; readonly error: string }
  /** The process died before it could say; `after` is what its successor found. */
  | { readonly outcome: 'interrupted' }
);

/** One change that somebody asked the API for, collection `audit`; written before the change as `processing`. */
export type AuditEntry = AuditEntryBase & ({ readonly outcome: 'processing' } | AuditEnd);

export type OpenAuditEntry = AuditEntryBase & { readonly outcome: 'processing' };
export type EndedAuditEntry = AuditEntryBase & AuditEnd;
