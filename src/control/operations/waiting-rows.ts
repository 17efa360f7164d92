import { listDocuments } from '../../documents/list-documents.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Mapping } from '../../core/mapping.ts';
import { closedEnds } from '../../core/progress/flush.ts';
import { oldestUntaken } from '../../core/progress/oldest-untaken.ts';
import { openingOf } from '../../core/progress/openings.ts';
import { heldSlices, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import { reaches } from '../../core/progress/switch.ts';
import type { TableId } from '../../core/table-id.ts';
import { usedVersions } from '../../core/used-versions.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { endsUnlessLost } from '../ends/read-ends.ts';

/** What an incarnation of a sink, deleted or with another table by now, still has for a table. */
export interface WaitingRows {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  /** In staging. */
  readonly rows: number;
  /** It takes events, for another table. */
  readonly isOpen: boolean;
  /** Events that it has accepted for the table may not be staged yet. */
  readonly isBehind: boolean;
}

/** What waits for a table, of all incarnations. */
export async function readWaiting(
  parts: Pick<Parts, 'catalog' | 'sourceLog'>,
  tableId: TableId,
  options: Waiting,
): Promise<readonly WaitingRows[]> {
  const mappings = Map.groupBy(
    await listDocuments(parts.catalog, { kind: mappingDocuments }, options),
    ({ incarnation }) => incarnation,
  );
  const waiting: WaitingRows[] = [];
  for (const progress of await listDocuments(parts.catalog, { kind: progressDocuments }, options)) {
    const all = mappings.get(progress.incarnation) ?? [];
    const found = await waitingIn(parts, { progress, all, tableId }, options);
    if (found !== undefined) waiting.push(found);
  }
  return waiting;
}

interface Meant {
  readonly progress: SinkProgress;
  /** Every mapping of the incarnation. */
  readonly all: readonly Mapping[];
  readonly tableId: TableId;
}

async function waitingIn(
  parts: Pick<Parts, 'sourceLog'>,
  { progress, all, tableId }: Meant,
  options: Waiting,
): Promise<WaitingRows | undefined> {
  const { key, incarnation, mappingVersion, open } = progress;
  const meant = new Set(all.filter((one) => one.tableId === tableId).map(({ version }) => version));
  if (meant.size === 0) return undefined;
  const held = heldSlices(progress).filter((slice) => meant.has(slice.mappingVersion));
  const rows = held.reduce((sum, slice) => sum + slice.rows, 0);
  // What an open sink still takes is no wait for a table that it fills anyway.
  const untaken = usedVersions(all, mappingVersion).filter(
    (version) => meant.has(version) && !(open && version === mappingVersion),
  );
  const isBehind = await mayHaveUntaken(parts, { progress, versions: untaken }, options);
  return rows === 0 && !isBehind ? undefined : { key, incarnation, rows, isOpen: open, isBehind };
}

/** Whether an event that is not staged yet may be of one of these versions. */
async function mayHaveUntaken(
  { sourceLog }: Pick<Parts, 'sourceLog'>,
  { progress, versions }: { readonly progress: SinkProgress; readonly versions: readonly number[] },
  options: Waiting,
): Promise<boolean> {
  if (versions.length === 0) return false;
  if (!progressDocuments.isWritable(progress)) return true;
  const ends = progress.open ? await knownEnds(sourceLog, progress, options) : closedEnds(progress);
  const oldest = ends === undefined ? 0 : oldestUntaken(progress, ends);
  return oldest !== undefined && versions.some((version) => version >= oldest);
}

/** Undefined when the source topic has lost what the sink knows of it: nobody can tell what it has taken. */
async function knownEnds(log: Parts['sourceLog'], progress: SinkProgress, options: Waiting): Promise<Ends | undefined> {
  const found = await endsUnlessLost(log, progress.topics, options);
  return found !== undefined && reaches(progress, found) ? found.durable : undefined;
}

/** Whether an open sink has left the table so short a time ago that mappers may not know it yet. */
export async function wasLeftNow(
  { catalog, clock }: Pick<Parts, 'catalog' | 'clock'>,
  tableId: TableId,
  options: Waiting,
): Promise<boolean> {
  const since = clock.now() - limits.configurationLagMs;
  const progress = await listDocuments(catalog, { kind: progressDocuments }, options);
  const changed = progress.filter((one) => one.open && (openingOf(one, one.mappingVersion) ?? 0) > since);
  if (changed.length === 0) return false;
  const inUse = new Map(changed.map(({ incarnation, mappingVersion }) => [incarnation, mappingVersion]));
  const all = (await listDocuments(catalog, { kind: mappingDocuments }, options)).filter(
    (one) => one.tableId === tableId && inUse.has(one.incarnation),
  );
  const fills = new Set(
    all.filter(({ incarnation, version }) => inUse.get(incarnation) === version).map(({ incarnation }) => incarnation),
  );
  return all.some(({ incarnation, version }) => version < (inUse.get(incarnation) ?? 0) && !fills.has(incarnation));
}
