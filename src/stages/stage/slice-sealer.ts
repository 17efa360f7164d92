import { seal, type Seal } from '../../core/progress/seal.ts';
import { isRefused, type Refused, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { writeEntry, type ReadDocument } from './progress-write.ts';
import { uploadSlice, type ClosedSlice, type UploadPorts } from './upload-slice.ts';

export interface SealPorts extends UploadPorts {
  readonly catalog: Catalog;
}

export type Sealed =
  | { readonly kind: 'sealed'; readonly document: ReadDocument; readonly slice: StagedSlice | undefined }
  /** The entry is not the one that the reader started from any more: it drops what it holds and goes on from the document. */
  | { readonly kind: 'superseded' };

interface Queued {
  readonly closed: ClosedSlice;
  /** Undefined until the lines are in staging. */
  change: Seal | undefined;
  readonly resolve: (sealed: Sealed) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Seals the slices of one partition in their order (rule 3 of the protocol): uploads run side by side, and those that are
 * uploaded while one compare-and-set is under way share the next one. Never deletes an object.
 */
export class SliceSealer {
  readonly #ports: SealPorts;
  #queue: readonly Queued[] = [];
  /** As it was written last. */
  #document: ReadDocument | undefined;
  #isWriting = false;

  constructor(ports: SealPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when the slice is in the document, or cannot be any more; rejects when its upload or the write failed, also for
   * a slice before it. The slice must start where the one before ends. Its local files are removed.
   */
  seal(closed: ClosedSlice, options: Waiting): Promise<Sealed> {
    const { promise, resolve, reject } = Promise.withResolvers<Sealed>();
    const queued: Queued = { closed, change: undefined, resolve, reject };
    this.#queue = [...this.#queue, queued];
    this.#upload(queued, options).catch((thrown: unknown) => {
      this.#end((each) => each.reject(thrown));
    });
    return promise;
  }

  async #upload(queued: Queued, options: Waiting): Promise<void> {
    try {
      queued.change = await uploadSlice(this.#ports, queued.closed, options);
    } finally {
      queued.closed.open.discard();
    }
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      for (let ready = this.#ready(); ready.length > 0; ready = this.#ready()) await this.#write(ready, options);
    } finally {
      this.#isWriting = false;
    }
  }

  /** The first slices of the queue, as many as are uploaded. */
  #ready(): readonly Queued[] {
    const waiting = this.#queue.findIndex(({ change }) => change === undefined);
    return waiting === -1 ? this.#queue : this.#queue.slice(0, waiting);
  }

  async #write(ready: readonly Queued[], { signal }: Waiting): Promise<void> {
    const [first] = ready;
    if (first === undefined) return;
    const changes = ready.map(({ change }) => change).filter((change) => change !== undefined);
    const { positions, document } = first.closed;
    const { partition, base } = positions;
    const transition = (progress: SinkProgress): SinkProgress | Refused => sealAll(progress, changes);
    const newest = this.#document ?? document;
    const written = await writeEntry(this.#ports.catalog, newest, { partition, base, transition, signal });
    if (written === undefined) {
      this.#end(({ resolve }) => resolve({ kind: 'superseded' }));
      return;
    }
    this.#document = written;
    this.#queue = this.#queue.slice(ready.length);
    for (const { resolve, change } of ready) resolve({ kind: 'sealed', document: written, slice: change?.slice });
  }

  /** Nothing that is queued can be sealed any more: each slice rests on the one before. */
  #end(settle: (queued: Queued) => void): void {
    const ended = this.#queue;
    this.#queue = [];
    for (const queued of ended) settle(queued);
  }
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
