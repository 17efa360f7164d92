import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { objectName } from '../../core/object-name.ts';
import { sliceCount, uploadStamp, type Seal } from '../../core/progress/seal.ts';
import type { SinkProgress, StagedObject, StagedSlice } from '../../core/progress/sink-progress.ts';
import type { Compression } from '../../core/compression.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { OpenSlice } from './open-slice.ts';
import type { ReadProgress } from '../replica/progress-document.ts';
import type { SliceSpans } from '../../telemetry/slice-spans.ts';
import type { UploadTurns } from './upload-turns.ts';

export interface UploadPorts {
  readonly objects: ObjectStore;
  readonly clock: Clock;
  /** Letters and digits, never the same twice. */
  readonly unique: () => string;
  /** Of all uploads of this process. */
  readonly turns: UploadTurns;
  /** What the objects of a sink are put with. */
  readonly compression: (progress: SinkProgress) => Compression;
}

/** A slice that takes no more lines, and the positions that it covers. */
export interface ClosedSlice {
  /** One that was read, not necessarily the newest. */
  readonly document: ReadProgress;
  readonly positions: Pick<Seal, 'partition' | 'base' | 'sink' | 'source' | 'epoch' | 'mappedWith'>;
  readonly open: OpenSlice;
}

export interface UploadedSlice extends ClosedSlice {
  readonly spans?: SliceSpans | undefined;
}

/**
 * Uploads the lines of a slice, when it is its turn, under names that are never used again; answers what the document has to
 * know for its seal.
 * `stage.full` when too many slices wait already; `stage.altered` when a local file is not what was written to it.
 */
export async function uploadSlice(ports: UploadPorts, closed: UploadedSlice, options: Waiting): Promise<Seal> {
  const { positions, open, document, spans } = closed;
  const change = { ...positions, ...open.counts };
  if (open.lineCount === 0) return { ...change, stamp: 0 };
  requireRoom(document);
  using _turn = ports.turns.takeNow(open.bytes) ?? (await ports.turns.take(open.bytes, options));
  // The names are made only in its turn: they are as old as the upload, however long the slice has waited.
  const stagedAt = ports.clock.now();
  const stamp = uploadStamp(stagedAt, document.value.floor);
  const uploaded = spans?.uploading();
  try {
    const slice = await putParts(ports, closed, { stamp, stagedAt, ...options });
    uploaded?.();
    return { ...change, stamp, slice };
  } catch (thrown) {
    uploaded?.(MillraceError.fromUnknown(thrown).message);
    throw thrown;
  }
}

function requireRoom({ value }: ReadProgress): void {
  if (sliceCount(value) < limits.stagedSlices) return;
  throw new MillraceError(
    'stage.full',
    `${limits.stagedSlices} slices wait for their import; staging goes on when some are imported`,
  );
}

async function putParts(
  { objects, unique, compression }: UploadPorts,
  { document, positions, open, spans }: UploadedSlice,
  { stamp, stagedAt, signal }: Waiting & { readonly stamp: number; readonly stagedAt: number },
): Promise<StagedSlice> {
  const { incarnation, mappingVersion } = document.value;
  const { partition, base, source } = positions;
  const id = unique();
  const { type, gzipLevel } = compression(document.value);
  const put = async (part: 'rows' | 'dead'): Promise<StagedObject> => {
    const { bytes, checksum } = open[part];
    const name = objectName({ incarnation, partition, stamp, unique: id, part });
    const content = type === 'gzip' ? await open[part].gzipped(gzipLevel, { signal }) : open[part].content();
    const stored = await objects.put(name, content, { signal });
    // After the upload, so that it is covered: what was altered by then is taken from the log again, which still has
    // it.
    await open[part].check({ signal });
    const compressed = type === 'gzip' ? { compressed: { as: type, bytes: stored.bytes } } : {};
    return { name, bytes, checksum, ...compressed };
  };
  const rowsObject = open.rowCount > 0 ? await put('rows') : undefined;
  const deadObject = open.deadCount > 0 ? await put('dead') : undefined;
  return {
    id,
    partition,
    mappingVersion: open.mappingVersion ?? mappingVersion,
    from: base.source,
    to: source,
    rows: open.rowCount,
    dead: open.deadCount,
    ...(rowsObject === undefined ? {} : { rowsObject }),
    ...(deadObject === undefined ? {} : { deadObject }),
    firstArrival: open.firstArrival,
    lastArrival: open.lastArrival,
    stagedAt,
    ...(spans === undefined ? {} : { traceparents: spans.traceparents }),
  };
}
