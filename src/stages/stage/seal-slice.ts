import type { Clock } from '../../core/clock.ts';
import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import { progressId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { objectName } from '../../core/object-name.ts';
import { seal, sliceCount, type Seal } from '../../core/progress/seal.ts';
import {
  entryOf,
  isRefused,
  sameEntry,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { ObjectStore, StoredObject } from '../../ports/object-store.ts';
import type { OpenSlice } from './open-slice.ts';

export interface SealPorts {
  readonly catalog: Catalog;
  readonly objects: ObjectStore;
  readonly clock: Clock;
  /** Letters and digits, never the same twice. */
  readonly unique: () => string;
}

/** A progress document with its revision. */
export interface ReadDocument {
  readonly revision: number;
  readonly value: SinkProgress;
}

export type Positions = Pick<Seal, 'partition' | 'base' | 'sink' | 'source'>;

/** Reads the document as it is now. */
export async function readDocument(
  catalog: Catalog,
  incarnation: Incarnation,
  options: Waiting,
): Promise<ReadDocument | undefined> {
  const found = await catalog.get('progress', progressId(incarnation), options);
  return found === undefined ? undefined : { revision: found.revision, value: parseProgressDocument(found.value) };
}

export type Sealed =
  | { readonly kind: 'sealed'; readonly document: ReadDocument; readonly slice: StagedSlice | undefined }
  | { readonly kind: 'superseded' };

/** An open slice and the positions that it covers; `document` is one that was read, not necessarily the newest. */
export interface Closing {
  readonly document: ReadDocument;
  readonly positions: Positions;
  readonly open: OpenSlice;
}

/** The lines of a slice, durable in staging; undefined for a slice without any. */
export type Uploaded = { readonly staged: StagedSlice; readonly stamp: number } | undefined;

/**
 * Puts what was uploaded into the document together with the positions, in one compare-and-set (rule 3 of the protocol).
 * `superseded`: the entry is not the one that the reader started from any more; it drops what it holds and goes on from the
 * document. Never deletes an object.
 */
export function sealUploaded(
  { catalog }: SealPorts,
  { document, positions, open }: Closing,
  { uploaded, signal }: Waiting & { readonly uploaded: Uploaded },
): Promise<Sealed> {
  const change: Seal = {
    ...positions,
    ...open.counts,
    stamp: uploaded?.stamp ?? 0,
    ...(uploaded === undefined ? {} : { slice: uploaded.staged }),
  };
  const transition = (progress: SinkProgress): SinkProgress | Refused => seal(progress, change);
  return compareAndSet(catalog, document, { transition, positions, slice: uploaded?.staged, signal });
}

/** Uploads the lines of a slice under names that are never used again; `stage.full` when too many slices wait already. */
export async function uploadSlice(
  { objects, clock, unique }: SealPorts,
  { document, positions, open }: Closing,
  options: Waiting,
): Promise<Uploaded> {
  if (open.lineCount === 0) return undefined;
  const { value } = document;
  if (sliceCount(value) >= limits.stagedSlices) {
    throw new MillraceError(
      'stage.full',
      `${limits.stagedSlices} slices wait for their import; staging goes on when some are imported`,
    );
  }
  const stagedAt = clock.now();
  const stamp = Math.max(stagedAt, value.floor);
  const id = unique();
  const name = { incarnation: value.incarnation, partition: positions.partition, stamp, unique: id };
  const put = async (part: 'rows' | 'dead'): Promise<StoredObject> =>
    objects.put(objectName({ ...name, part }), open[part].content(), options);
  const rowsObject = open.rowCount > 0 ? await put('rows') : undefined;
  const deadObject = open.deadCount > 0 ? await put('dead') : undefined;
  const staged: StagedSlice = {
    id,
    partition: positions.partition,
    mappingVersion: open.mappingVersion ?? value.mappingVersion,
    from: positions.base.source,
    to: positions.source,
    rows: open.rowCount,
    dead: open.deadCount,
    ...(rowsObject === undefined ? {} : { rowsObject }),
    ...(deadObject === undefined ? {} : { deadObject }),
    firstArrival: open.firstArrival,
    lastArrival: open.lastArrival,
    stagedAt,
  };
  return { staged, stamp };
}

export interface DocumentChange extends Waiting {
  readonly transition: (progress: SinkProgress) => SinkProgress | Refused;
  readonly positions: Pick<Positions, 'partition' | 'base'>;
  readonly slice: StagedSlice | undefined;
}

/** Applies a transition of one entry, again and again while only other parts of the document change. */
export async function compareAndSet(
  catalog: Catalog,
  document: ReadDocument,
  { transition, positions, slice, signal }: DocumentChange,
): Promise<Sealed> {
  const { incarnation } = document.value;
  let current: ReadDocument | undefined = document;
  while (current !== undefined && sameEntry(entryOf(current.value, positions.partition), positions.base)) {
    const after = transition(current.value);
    if (isRefused(after)) return { kind: 'superseded' };
    const write = {
      collection: 'progress',
      id: progressId(incarnation),
      expected: current.revision,
      value: after,
    } as const;
    const result = await catalog.compareAndSet(write, { signal });
    if (result.kind === 'written')
      return { kind: 'sealed', document: { revision: result.revision, value: after }, slice };
    current = await readDocument(catalog, incarnation, { signal });
  }
  return { kind: 'superseded' };
}
