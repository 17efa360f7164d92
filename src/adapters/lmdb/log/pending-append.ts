import type { Offset } from '../../../core/offset.ts';
import type { NewRecords } from '../../../ports/event-log.ts';
import type { Abortable } from './abort-watch.ts';

export interface AppendRequest {
  readonly records: NewRecords;
  /** Existence of the topic that is meant; undefined: whichever there is. */
  readonly identity: string | undefined;
  readonly signal: AbortSignal;
}

/** An append that waits for its commit. It is settled once; later outcomes are ignored. */
export class PendingAppend implements Abortable {
  readonly records: NewRecords;
  readonly identity: string | undefined;
  readonly signal: AbortSignal;
  place = -1;
  /** Of its first record, in the commit that has it. */
  offset: Offset = -1;
  readonly #outcome = Promise.withResolvers<Offset>();
  #settled = false;

  constructor({ records, identity, signal }: AppendRequest) {
    this.records = records;
    this.identity = identity;
    this.signal = signal;
  }

  /** The offset, once it is durable. */
  get stored(): Promise<Offset> {
    return this.#outcome.promise;
  }

  get settled(): boolean {
    return this.#settled;
  }

  resolve(): void {
    this.#settled = true;
    this.#outcome.resolve(this.offset);
  }

  reject(reason: unknown): void {
    this.#settled = true;
    this.#outcome.reject(reason);
  }

  abort(reason: unknown): void {
    this.reject(reason);
  }
}
