import type { DeadLetterCells, Refusal } from '../../core/dead-letter.ts';
import type { SourceKey } from '../../core/ids.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { EventRecord, RecordPlace } from '../../mapping/event-of-record.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** An event as it would stand in the topic of its source. */
export interface TriedEvent {
  readonly record: EventRecord;
  readonly place: RecordPlace;
}

/** A sink as far as a test of a payload shows it. */
export interface TriedSink {
  readonly sinkId: string;
  readonly isDisabled: boolean;
  readonly mapping: Mapping;
}

/** What all sinks of a source are asked to make of some events. */
export interface PayloadTest {
  readonly key: SourceKey & { readonly projectId: number };
  readonly sinks: readonly TriedSink[];
  readonly events: readonly TriedEvent[];
}

/** What a mapping is asked to make of some records: each has one event, or several. */
export interface OutcomeTest {
  readonly mapping: Mapping;
  readonly records: readonly (readonly TriedEvent[])[];
  /** Given: this column alone is made, and a row shows its cell. */
  readonly column?: string;
}

/** What a mapping made of an event; `cell` is the text of the column that was asked for. */
export type TriedOutcome =
  | { readonly kind: 'row'; readonly cell?: string }
  | { readonly kind: 'filtered' }
  | { readonly kind: 'dead'; readonly refusal: Refusal };

/** What a mapping made of a dead letter: `cells` of a row, in the order of the columns; why it is refused still. */
export type TriedLetter =
  | { readonly kind: 'row'; readonly cells: readonly string[] }
  | { readonly kind: 'filtered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The letter does not keep all of its event. */
  | { readonly kind: 'partial' };

/** The answer to who asked for the test, as it is sent. */
export interface ShownTest {
  readonly status: number;
  /** JSON in UTF-8. */
  readonly body: Uint8Array;
}

/**
 * Mappings that are tried for a caller and deliver nothing. Whoever asks may have written their templates to take long, so they run
 * beside the threads that deliver, and are ended when the time for a trial is over: here, and nowhere in delivery, time may decide.
 * All reject with `trial.busy` when too many wait already, or when the time of the request was over because others ran before; with
 * `trial.tooLong` when the time of the trial itself is over, and with the reason of `signal`.
 */
export interface Trials {
  /** Rejects with `input.invalid`, which names the column, when no event could satisfy one. */
  check(mapping: Mapping, options: Waiting): Promise<void>;
  /** What each sink makes of each event, by the code that delivers. `input.tooLarge` when the answer would be. */
  test(test: PayloadTest, options: Waiting): Promise<ShownTest>;
  /** What the mapping makes of each event of each record, as in delivery. `input.invalid` for a column that it does not have. */
  outcomes(test: OutcomeTest, options: Waiting): Promise<readonly (readonly TriedOutcome[])[]>;
  /** What the mapping makes of each dead letter, as a replay would. */
  letters(mapping: Mapping, letters: readonly DeadLetterCells[], options: Waiting): Promise<readonly TriedLetter[]>;
}
