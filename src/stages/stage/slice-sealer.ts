import { MillraceError } from '../../core/millrace-error.ts';
import { seal, type Seal } from '../../core/progress/seal.ts';
import { isRefused, type Refused, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ReadProgress } from '../replica/progress-document.ts';
import { beginSliceSpans, type SliceSpans } from '../../telemetry/slice-spans.ts';
import type { Spans } from '../../telemetry/spans.ts';
import { writeEntry } from './write-entry.ts';
import { uploadSlice, type ClosedSlice, type UploadPorts } from './upload-slice.ts';

export interface SealPorts extends UploadPorts {
  readonly catalog: Catalog;
  /** Absent: traces are off. */
  readonly spans?: Spans | undefined;
}

export type Sealed =
  | { readonly kind: 'sealed'; readonly document: ReadProgress; readonly slice: StagedSlice | undefined }
  /** The entry is not the one that the reader started from any more: it drops what it holds and goes on from the document. */
  | { readonly kind: 'superseded' };

interface Queued {
  readonly closed: ClosedSlice;
  readonly spans: SliceSpans | undefined;
  /** Undefined until the lines are in staging. */
  change: Seal | undefined;
  readonly resolve: (sealed: Sealed) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Seals the slices of one partition in their order (rule 3 of the protocol): uploads run side by side, and those that are
 * uploaded while one compare-and-set is under way share the next one. Never deletes an object. Each slice rests on the one
 * before: after the first that is not sealed it seals no more.
 */
export class SliceSealer {
  readonly #ports: SealPorts;
  readonly #abandoned = new AbortController();
  /** Slices that are being uploaded or written. */
  readonly #carried = new Set<Promise<void>>();
  #queue: readonly Queued[] = [];
  /** As it was written last. */
  #document: ReadProgress | undefined;
  #isWriting = false;
  /** What becomes of every slice from now on; undefined while they are sealed. */
  #end: ((queued: Queued) => void) | undefined;

  constructor(ports: SealPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when the slice is in the document, or cannot be any more; rejects when its upload or the write failed, when its
   * names are too old, or with what a slice before it failed. The slice must start where the one before ends. Its local files are removed.
   */
  seal(closed: ClosedSlice, { signal }: Waiting): Promise<Sealed> {
    const { promise, resolve, reject } = Promise.withResolvers<Sealed>();
    const spans = this.#end === undefined ? this.#spansOf(closed) : undefined;
    const queued: Queued = { closed, spans, change: undefined, resolve, reject };
    if (this.#end !== undefined) {
      closed.open.discard();
      this.#end(queued);
      return promise;
    }
    this.#queue = [...this.#queue, queued];
    const options = { signal: AbortSignal.any([signal, this.#abandoned.signal]) };
    const carried = this.#carry(queued, options).finally(() => this.#carried.delete(carried));
    this.#carried.add(carried);
    return promise;
  }

  /** Nobody waits for the slices any more: aborts what is under way, which may still happen. Resolves when it has ended. */
  async abandon(): Promise<void> {
    this.#abandoned.abort();
    await Promise.all(this.#carried);
  }

  /** Never rejects. */
  async #carry(queued: Queued, options: Waiting): Promise<void> {
    try {
      queued.change = await this.#upload(queued, options);
    } catch (thrown) {
      this.#endFrom(queued, (each) => each.reject(thrown));
      return;
    }
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (let ready = this.#ready(); ready.length > 0; ready = this.#ready()) await this.#write(ready, options);
    this.#isWriting = false;
  }

  #spansOf({ document, positions, open }: ClosedSlice): SliceSpans | undefined {
    const { spans, clock } = this.#ports;
    if (spans === undefined || open.followed.length === 0) return undefined;
    const { partition, base, source } = positions;
    const { rowCount, deadCount, bytes, openedAt, followed } = open;
    const counts = { rows: rowCount, dead: deadCount, bytes };
    const slice = { key: document.value.key, partition, from: base.source, to: source, ...counts, openedAt, followed };
    return beginSliceSpans(spans, slice, clock);
  }

  async #upload({ closed, spans }: Queued, options: Waiting): Promise<Seal> {
    try {
      return await uploadSlice(this.#ports, { ...closed, spans }, options);
    } finally {
      closed.open.discard();
    }
  }

  /** The first slices of the queue, as many as are uploaded. */
  #ready(): readonly Queued[] {
    const waiting = this.#queue.findIndex(({ change }) => change === undefined);
    return waiting === -1 ? this.#queue : this.#queue.slice(0, waiting);
  }

  /** Writes slices that are uploaded, and settles them; never rejects. */
  async #write(ready: readonly Queued[], { signal }: Waiting): Promise<void> {
    const [first] = ready;
    if (first === undefined) return;
    const { partition, base } = first.closed.positions;
    const changes = ready.map(({ change }) => change).filter((change) => change !== undefined);
    const transition = (progress: SinkProgress): SinkProgress | Refused => sealAll(progress, changes);
    const newest = newerOf(first.closed.document, this.#document);
    let written: ReadProgress | Refused;
    try {
      written = await writeEntry(this.#ports.catalog, newest, { partition, base, transition, signal });
    } catch (thrown) {
      this.#endFrom(first, (each) => each.reject(thrown));
      return;
    }
    if (isRefused(written)) {
      this.#endFrom(first, endOf(written));
      return;
    }
    this.#document = written;
    this.#queue = this.#queue.slice(ready.length);
    for (const { resolve, change, spans } of ready) {
      spans?.end({ id: change?.slice?.id ?? '' });
      resolve({ kind: 'sealed', document: written, slice: change?.slice });
    }
  }

  /** The slice cannot be sealed any more, nor can those after it; those before it can. */
  #endFrom(queued: Queued, end: (queued: Queued) => void): void {
    const index = this.#queue.indexOf(queued);
    if (index === -1) return;
    const ended = this.#queue.slice(index);
    this.#queue = this.#queue.slice(0, index);
    for (const { spans } of ended) spans?.end({ failure: 'the slice was not sealed by this reader' });
    this.#end = end;
    for (const each of ended) end(each);
  }
}

/** What becomes of slices that the document refuses. */
function endOf({ code, reason }: Refused): (queued: Queued) => void {
  if (code === undefined) return ({ resolve }) => resolve({ kind: 'superseded' });
  const error = new MillraceError(code, `a slice cannot be sealed: ${reason}`);
  return ({ reject }) => reject(error);
}

function newerOf(one: ReadProgress, other: ReadProgress | undefined): ReadProgress {
  return other !== undefined && other.revision > one.revision ? other : one;
}

function sealAll(progress: SinkProgress, changes: readonly Seal[]): SinkProgress | Refused {
  let sealed = progress;
  for (const change of changes) {
    const after = seal(sealed, change);
    if (isRefused(after)) return after;
    sealed = after;
  }
  return sealed;
}
