import { takesEvents } from '../../core/takes-events.ts';
import { bucketOf } from '../../core/bucket.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import { progressId, sinkDocumentId } from '../../documents/document-id.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { closedEnds, isDelivered } from '../../core/progress/flush.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Sink } from '../../core/sink.ts';
import type { Stamp } from '../../core/source.ts';
import type { Token } from '../../core/token.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';

export type SinkTokenParts = Pick<Parts, 'catalog' | 'chores' | 'definitions' | 'tokens'>;

/** Text by which people know a sink's token in lists. */
export function sinkTokenDescription({ sourceId, sinkId }: SinkKey): string {
  return `[_internal] Stream Sink ${sourceId}/${sinkId}`;
}

/** A token for what the sink imports: into its table, and into earlier ones as long as rows may wait for them. */
export async function issueSinkToken(
  parts: Pick<Parts, 'catalog' | 'tokens'>,
  { sink, stamp }: { readonly sink: Sink; readonly stamp: Stamp },
  options: Waiting,
): Promise<Token> {
  const { branchId, sourceId, sinkId, incarnation } = sink;
  const key = { branchId, sourceId, sinkId };
  const writeBuckets = await bucketsOf(parts, sink, options);
  const scope = { kind: 'sink', sink: key, incarnation, writeBuckets, canReadAllFileUploads: true } as const;
  const description = sinkTokenDescription(key);
  const { token } = await parts.tokens.issue({ description, scope, created: stamp }, options);
  return token;
}

/** The buckets of every mapping that the incarnation has had: slices of an earlier one may still be staged. */
async function bucketsOf(
  { catalog }: Pick<Parts, 'catalog'>,
  { incarnation, table }: Sink,
  options: Waiting,
): Promise<readonly string[]> {
  const prefix = `${progressId(incarnation)}/`;
  const mappings = await listDocuments(catalog, { kind: mappingDocuments, prefix }, options);
  const tables = [table.tableId, ...mappings.map(({ tableId }) => tableId)];
  return [...new Set(tables.map(bucketOf))].toSorted();
}

/** The sink's token lets its incarnation write this bucket, too; what is staged for another bucket keeps its right. */
export async function extendSinkToken(
  { tokens }: Pick<Parts, 'tokens'>,
  { sink, bucket }: { readonly sink: Sink; readonly bucket: string },
  options: Waiting,
): Promise<void> {
  const token = sink.tokenId === undefined ? undefined : await tokens.find(sink.tokenId, options);
  if (token === undefined || token.scope.kind !== 'sink' || token.scope.writeBuckets.includes(bucket)) return;
  await tokens.rescope(token, { ...token.scope, writeBuckets: [...token.scope.writeBuckets, bucket] }, options);
}

/**
 * The token that a sink needs to deliver what it still has after it was closed: the one it has, or one made anew when
 * somebody deleted it (A21).
 */
export async function tokenForRest(
  parts: Pick<Parts, 'catalog' | 'tokens'>,
  given: { readonly sink: Sink; readonly stamp: Stamp },
  options: Waiting,
): Promise<string> {
  const { tokenId } = given.sink;
  if (tokenId !== undefined && (await parts.tokens.find(tokenId, options)) !== undefined) return tokenId;
  return (await issueSinkToken(parts, given, options)).id;
}

/** Revokes the token of a closed incarnation as soon as everything that it accepted is delivered. */
export function revokeWhenDelivered(
  parts: SinkTokenParts,
  { key, incarnation, tokenId }: { readonly key: SinkKey; readonly incarnation: Incarnation; readonly tokenId: string },
): void {
  parts.chores.add({
    name: `revoke token ${tokenId}`,
    attempt: async (options) => {
      const sink = await parts.definitions.findSink(key, options);
      const mine = sink?.tokenId === tokenId;
      if (mine && takesEvents(sink)) return true;
      const replaced = !mine && sink?.incarnation === incarnation;
      if (!replaced && !hasDelivered(await parts.definitions.progress(incarnation, options))) return false;
      if (mine) await forgetToken(parts, { key, tokenId }, options);
      const now = await parts.definitions.findSink(key, options);
      if (now?.tokenId !== tokenId) await parts.tokens.revoke(tokenId, options);
      return true;
    },
  });
}

async function forgetToken(
  { catalog }: Pick<Parts, 'catalog'>,
  { key, tokenId }: { readonly key: SinkKey; readonly tokenId: string },
  options: Waiting,
): Promise<void> {
  const change = (before: Sink | undefined): Sink | undefined => {
    if (before?.tokenId !== tokenId || (before.disabled === undefined && before.deleted === undefined))
      return undefined;
    const { tokenId: _, ...rest } = before;
    return rest;
  };
  await changeDocument(catalog, { kind: sinkDocuments, id: sinkDocumentId(key), change }, options);
}

/**
 * True when a closed sink has nothing left to import; its document may be gone by then. What only a newer release may
 * write says nothing of it.
 */
export function hasDelivered(progress: SinkProgress | undefined): boolean {
  if (progress === undefined) return true;
  if (progress.open || !progressDocuments.isWritable(progress)) return false;
  return isDelivered(progress, closedEnds(progress));
}
