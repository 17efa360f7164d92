import { bucketOf } from '../../core/bucket.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { mappingId } from '../../documents/document-id.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { tokenDocuments } from '../../documents/token-document.ts';
import type { SinkKey } from '../../core/ids.ts';
import { isDelivered } from '../../core/progress/flush.ts';
import { heldSlices, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Sink } from '../../core/sink.ts';
import type { Token } from '../../core/token.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { readKnownEnds } from '../ends/read-ends.ts';
import type { Parts } from '../parts.ts';
import { unlessUnusable } from '../store/unless-unusable.ts';
import { sinkClaims } from '../tasks/claims.ts';
import { unlessBusy } from './unless-busy.ts';

type SinkTokenRightsParts = Pick<Parts, 'catalog' | 'definitions' | 'sourceLog' | 'tasks' | 'telemetry' | 'tokens'>;

/**
 * Takes the right on a bucket that a sink has left from its token, when nothing can wait for that bucket any more: a round after the
 * ends of the source were read, everything below them is delivered. A mapper that knew the old mapping for even longer leaves slices of
 * it: the right comes back with them.
 */
export class SinkTokenRights {
  readonly #parts: SinkTokenRightsParts;
  /** By token: where the source ended when it was first seen that the sink has left a bucket. */
  readonly #left = new Map<string, Ends>();

  constructor(parts: SinkTokenRightsParts) {
    this.#parts = parts;
  }

  /** One round over all sinks that take events; the rounds must lie further apart than a mapper is behind. */
  async fit(options: Waiting): Promise<void> {
    const { documents } = await listReadable(this.#parts.catalog, { kind: tokenDocuments }, options);
    const known = new Set(documents.map(({ id }) => id));
    for (const id of this.#left.keys()) if (!known.has(id)) this.#left.delete(id);
    for (const { id, scope } of documents) {
      if (scope.kind !== 'sink') continue;
      const { sink: key, incarnation } = scope;
      await unlessUnusable(this.#parts, { incarnation }, () =>
        unlessBusy(this.#parts, sinkClaims(key), () => this.#fitOne({ key, id }, options)),
      );
    }
  }

  async #fitOne({ key, id }: { readonly key: SinkKey; readonly id: string }, options: Waiting): Promise<void> {
    const { definitions, sourceLog, tokens } = this.#parts;
    const sink = await definitions.findSink(key, options);
    // That of a closed sink goes as a whole.
    if (sink?.tokenId !== id || sink.disabled !== undefined || sink.deleted !== undefined) return;
    const token = await tokens.find(id, options);
    if (token?.scope.kind !== 'sink' || (sink.mappingVersion === 1 && token.scope.writeBuckets.length === 1)) return;
    const progress = await definitions.progress(sink.incarnation, options);
    if (progress === undefined) return;
    const used = await this.#bucketsInUse(sink, progress, options);
    const { writeBuckets } = token.scope;
    if (used.some((bucket) => !writeBuckets.includes(bucket)))
      await this.#write(token, [...new Set([...writeBuckets, ...used])], options);
    if (writeBuckets.every((bucket) => used.includes(bucket))) {
      this.#left.delete(id);
      return;
    }
    const ends = this.#left.get(id);
    if (ends === undefined) this.#left.set(id, (await readKnownEnds(sourceLog, progress.topics, options)).durable);
    else if (isDelivered(progress, ends)) {
      await this.#write(token, used, options);
      this.#left.delete(id);
    }
  }

  /** That of the table, and those of the tables for which slices wait. */
  async #bucketsInUse(sink: Sink, progress: SinkProgress, options: Waiting): Promise<readonly string[]> {
    const { incarnation, mappingVersion } = progress;
    const versions = new Set([mappingVersion, ...heldSlices(progress).map((slice) => slice.mappingVersion)]);
    const buckets = new Set([bucketOf(sink.table.tableId)]);
    for (const version of versions) {
      const place = { kind: mappingDocuments, id: mappingId(incarnation, version) };
      const found = await readDocument(this.#parts.catalog, place, options);
      if (found !== undefined) buckets.add(bucketOf(found.value.tableId));
    }
    return [...buckets].toSorted();
  }

  async #write(token: Token, writeBuckets: readonly string[], options: Waiting): Promise<void> {
    if (token.scope.kind === 'sink') await this.#parts.tokens.rescope(token, { ...token.scope, writeBuckets }, options);
  }
}
