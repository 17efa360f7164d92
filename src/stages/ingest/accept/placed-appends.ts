import type { Clock } from '../../../core/clock.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { Offset } from '../../../core/offset.ts';
import type { AppendOptions, EventLog, NewRecords } from '../../../ports/event-log.ts';
import { placementPatienceMs } from './accept-limits.ts';
import { Placement } from './placement.ts';
import type { DirectorySource } from './source-directory.ts';

interface PlacedAppendsOptions {
  readonly log: Pick<EventLog, 'append' | 'condition'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Every append of a request is settled within this, counted from its last byte. */
  readonly withinMs: number;
  /** Which of the threads that append this is, from 0. */
  readonly thread: number;
}

/**
 * Appends of requests, each to a partition that is well when there is one. What one partition could not even send goes to
 * another; what may have been stored never does (D1).
 */
export class PlacedAppends {
  readonly #log: Pick<EventLog, 'append' | 'condition'>;
  readonly #clock: Clock;
  readonly #placement: Placement;
  readonly #patient: Required<Pick<AppendOptions, 'signal' | 'withinMs'>>;
  readonly #movable: AppendOptions;

  constructor({ log, clock, signal, withinMs, thread }: PlacedAppendsOptions) {
    this.#log = log;
    this.#clock = clock;
    this.#placement = new Placement(log, thread);
    this.#patient = { signal, withinMs };
    this.#movable = { ...this.#patient, sendWithinMs: placementPatienceMs };
  }

  /** Of a request of so many bytes; undefined when all partitions refuse: nothing is tried. */
  append(source: DirectorySource, records: NewRecords, bytes: number): Promise<Offset> | undefined {
    const at = this.#placement.partitionFor(source, bytes);
    return at && this.#log.append(at, records, source.partitions > 1 ? this.#movable : this.#patient);
  }

  /** Another try after a failure, `since` the last byte of the request; undefined when there is nothing more to try. */
  elsewhere(source: DirectorySource, records: NewRecords, failed: FailedAppend): Promise<Offset> | undefined {
    const { error, since } = failed;
    const wasNotWritten = error instanceof MillraceError && error.code === 'log.refused';
    const withinMs = since + this.#patient.withinMs - this.#clock.monotonic();
    if (!wasNotWritten || source.partitions === 1 || withinMs <= 0) return undefined;
    const at = this.#placement.partitionAfter(source);
    if (at === undefined) return undefined;
    const isWell = this.#log.condition(at) === 'well';
    // Where none is well it waits in one place, for as long as there is time.
    const options = isWell ? { ...this.#movable, withinMs } : { ...this.#patient, withinMs };
    return this.#log.append(at, records, options);
  }
}

export interface FailedAppend {
  readonly error: unknown;
  /** Monotonic time. */
  readonly since: number;
}
