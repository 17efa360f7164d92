import type { Offset } from '../../../core/offset.ts';
import type { NewRecord } from '../../../ports/event-log.ts';
import type { Abortable } from './abort-watch.ts';

export interface AppendRequest {
  readonly records: readonly NewRecord[];
  /** Existence of the topic that is meant; undefined: whichever there is. */
  readonly identity: string | undefined;
  readonly signal: AbortSignal;
  readonly resolve: (offset: Offset) => void;
  readonly reject: (reason: unknown) => void;
}

/** An append that waits for its commit. It is settled once; later outcomes are ignored. */
export class PendingAppend implements Abortable {
  readonly records: readonly NewRecord[];
  readonly identity: string | undefined;
  readonly signal: AbortSignal;
  place = -1;
  readonly #request: AppendRequest;
  #settled = false;

  constructor(request: AppendRequest) {
    this.records = request.records;
    this.identity = request.identity;
    this.signal = request.signal;
    this.#request = request;
  }

  get settled(): boolean {
    return this.#settled;
  }

  resolve(offset: Offset): void {
    this.#settled = true;
    this.#request.resolve(offset);
  }

  reject(reason: unknown): void {
    this.#settled = true;
    this.#request.reject(reason);
  }

  abort(reason: unknown): void {
    this.reject(reason);
  }
}
