import { progressDocuments, sinkKeyNamedIn } from '../../documents/progress-document.ts';
import { earlierIncarnationId, progressId } from '../../documents/document-id.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { clearStatistics, withoutCounts } from '../../core/progress/statistics.ts';
import type { EarlierIncarnation } from '../../core/earlier-incarnation.ts';
import { earlierIncarnationDocuments } from '../../documents/earlier-incarnation-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { isUnusable } from '../../documents/unusable.ts';

export interface Clearing<Key> {
  readonly key: Key;
  readonly change: Change;
}

/**
 * For each incarnation of a sink, deleted or not: counts what is imported anew from here on, for people, and
 * acknowledges holes. What waits and the numbers of conservation stay. May be done again.
 */
export async function clearSinkStatistics(
  parts: Pick<Parts, 'catalog' | 'definitions'>,
  { key, change }: Clearing<SinkKey>,
  options: Waiting,
): Promise<void> {
  const { branchId, sourceId, sinkId } = await parts.definitions.knownSink(key, options);
  await change.begin({ kind: 'sink', branchId, sourceId, sinkId }, options);
  const isMeant = (one: SinkKey): boolean =>
    one.branchId === branchId && one.sourceId === sourceId && one.sinkId === sinkId;
  await clearStatisticsOf(parts, isMeant, options);
}

/** The same of all sinks of a source. */
export async function clearSourceStatistics(
  parts: Pick<Parts, 'catalog' | 'definitions'>,
  { key, change }: Clearing<SourceKey>,
  options: Waiting,
): Promise<void> {
  const { branchId, sourceId } = await parts.definitions.knownSource(key, options);
  await change.begin({ kind: 'source', branchId, sourceId }, options);
  await clearStatisticsOf(parts, (one) => one.branchId === branchId && one.sourceId === sourceId, options);
}

/**
 * The same for all sinks that are meant. Documents that this release cannot read or change are reported at the end,
 * when all others are cleared; so is one that does not say whose it is.
 */
export async function clearStatisticsOf(
  { catalog }: Pick<Parts, 'catalog'>,
  isMeant: (key: SinkKey) => boolean,
  options: Waiting,
): Promise<void> {
  const left = new Map<string, unknown>();
  const { documents, unread } = await listReadable(catalog, { kind: progressDocuments }, options);
  for (const { key, incarnation } of documents) {
    const id = progressId(incarnation);
    if (isMeant(key)) await noting(left, id, () => changeDocument(catalog, { ...clearing, id }, options));
  }
  for (const { id, value } of unread) {
    const key = sinkKeyNamedIn(value);
    if (key === undefined || isMeant(key)) await noting(left, id, () => progressDocuments.parse(value, id));
  }
  const gone = await listReadable(catalog, { kind: earlierIncarnationDocuments }, options);
  for (const { key, incarnation } of gone.documents) {
    const id = earlierIncarnationId(key, incarnation);
    if (isMeant(key)) await noting(left, id, () => changeDocument(catalog, { ...clearingGone, id }, options));
  }
  if (left.size > 0) throw notCleared(left);
}

const clearing = {
  kind: progressDocuments,
  change: (before: SinkProgress | undefined): SinkProgress | undefined => {
    const after = before === undefined ? undefined : clearStatistics(before);
    return after === undefined || isRefused(after) ? undefined : after;
  },
};

/** After the documents of progress: whoever removes one has noted before that what it had imported by then. */
const clearingGone = {
  kind: earlierIncarnationDocuments,
  change: (before: EarlierIncarnation | undefined): EarlierIncarnation | undefined =>
    before === undefined || before.imported.rows + before.imported.dead === 0
      ? undefined
      : { ...before, imported: withoutCounts(before.imported) },
};

/** Does the work, and keeps in mind when one document is the reason that it cannot be done. */
async function noting(left: Map<string, unknown>, id: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isUnusable(thrown)) throw thrown;
    left.set(id, thrown);
  }
}

function notCleared(left: ReadonlyMap<string, unknown>): MillraceError {
  const [cause] = left.values();
  const { code, message } = MillraceError.fromUnknown(cause);
  const ids = [...left.keys()].join(', ');
  const text = `the statistics of incarnations ${ids} are not cleared, those of all others are: ${message}`;
  return new MillraceError(code, text, { cause, details: { collection: progressDocuments.collection, ids } });
}
