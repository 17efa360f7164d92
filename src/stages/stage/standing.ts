import type { Offset, Partition } from '../../core/offset.ts';
import { hasLines, outcomeEpoch, OutcomeHeader, outcomeTraceparent } from '../../core/outcome.ts';
import { flushEnd, hasPassed } from '../../core/progress/flush.ts';
import { lostSource } from '../../core/progress/forgo.ts';
import { countOffsets, type Run } from '../../core/progress/intervals.ts';
import { awaitsMapping } from '../../core/progress/seal.ts';
import type { PartitionEntry } from '../../core/progress/sink-progress.ts';
import { judge, type Verdict } from '../../core/progress/take.ts';
import type { Trigger, TriggerCause } from '../../core/trigger.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { OpenSlice } from './open-slice.ts';
import type { ReadProgress } from '../replica/progress-document.ts';

/** Why taking records stopped before the end of a batch, and at which record it goes on. */
export type Stop =
  | { readonly kind: 'close'; readonly index: number; readonly cause: TriggerCause }
  /** An outcome can be judged only against a document that is read now. */
  | { readonly kind: 'stale'; readonly index: number }
  /** The sink topic lost records that were not taken; it goes on at `low`. */
  | { readonly kind: 'torn'; readonly index: number; readonly low: Offset }
  /** It has an outcome of other events at offsets that were taken: the source gave them out again, `cut` among them. */
  | { readonly kind: 'cut'; readonly index: number; readonly cut: Offset }
  /** It lost outcomes that were not taken, as the outcome for `to`, found at `at`, shows. */
  | {
      readonly kind: 'gap';
      readonly index: number;
      readonly at: Offset;
      readonly missing: readonly Run[];
      readonly to: Offset;
    };

export interface StandingOptions {
  readonly document: ReadProgress;
  readonly base: PartitionEntry;
  readonly slice: OpenSlice;
  readonly partition: Partition;
  readonly onHoles: (count: number) => void;
  /** Whether the traces of lines are noted; absent: they are not. */
  readonly follows?: boolean;
}

export interface Taking {
  readonly index: number;
  /** The document was read after the batch was fetched. */
  readonly fresh: boolean;
  readonly trigger: Trigger;
  /** Monotonic. */
  readonly now: () => number;
}

type Judged = Exclude<Verdict, { readonly kind: 'needsFreshDocument' | 'gap' }>;

/** Where a reader stands: the entry that it started from, and what it has taken since (rule 2 of the protocol). */
export class Standing {
  /** The newest document that was seen with `base` in it, or that will have it when the seal before is written. */
  document: ReadProgress;
  readonly base: PartitionEntry;
  readonly slice: OpenSlice;
  readonly #options: StandingOptions;
  readonly #header = new OutcomeHeader();
  /** Start of the interval that is open; infinite when none is. */
  readonly #openFrom: Offset;
  #sink: Offset;
  #source: Offset;
  #epoch: number | undefined;
  #mappedWith: number | undefined;

  constructor(options: StandingOptions) {
    const { document, base, slice } = options;
    const last = base.intervals.at(-1);
    this.#options = options;
    this.document = document;
    this.base = base;
    this.slice = slice;
    this.#openFrom = last?.end === null ? last.start : Number.POSITIVE_INFINITY;
    this.#sink = base.sink;
    this.#source = base.source;
    this.#epoch = base.epoch;
  }

  /** Next sink offset to read. */
  get sink(): Offset {
    return this.#sink;
  }

  /** Last source offset taken. */
  get source(): Offset {
    return this.#source;
  }

  /** Epoch that the last source offset taken was read in, where it is known. */
  get epoch(): number | undefined {
    return this.#epoch;
  }

  /** Mapping version of the last outcome taken; undefined when none was. */
  get mappedWith(): number | undefined {
    return this.#mappedWith;
  }

  /** True when there is something to seal. */
  get hasMoved(): boolean {
    return this.#source !== this.base.source || this.#passesRest;
  }

  /**
   * Only repeats were passed, and the source has lost what is wanted: the entry must show that all of the topic is
   * passed.
   */
  get #passesRest(): boolean {
    return this.#sink !== this.base.sink && lostSource(this.base) !== undefined;
  }

  /** True while what its topic has lost is not mapped again. */
  get awaits(): boolean {
    return awaitsMapping(this.base, this.#source);
  }

  /** The reason to close the open slice now, even if no further record arrives. */
  due(now: number, trigger: Trigger): TriggerCause | undefined {
    if (this.slice.openedAt === undefined) return this.#passesRest ? 'slices' : undefined;
    const end = flushEnd(this.document.value, this.#options.partition);
    if (end !== undefined && hasPassed({ ...this.base, source: this.#source }, end)) return 'flush';
    return trigger.due(this.slice.triggerState, now);
  }

  /** Takes records from `index` on as far as it goes without waiting; answers why it stopped, or undefined at the end. */
  take(batch: RecordBatch, taking: Taking): Stop | undefined {
    const { index, trigger } = taking;
    if (batch.first > this.#sink) return { kind: 'torn', index, low: batch.first };
    for (let at = index; at < batch.records.length; at += 1) {
      const record = batch.records[at];
      if (record === undefined || record.offset < this.#sink) continue;
      if (batch.missing === 'lost' && record.offset > this.#sink)
        return { kind: 'torn', index: at, low: record.offset };
      this.#header.read(record.memory, record.valueStart, record.valueEnd);
      const before = this.#source;
      if (this.#isOfOtherEvents(record)) return { kind: 'cut', index: at, cut: this.#header.from + 1 };
      const stop = this.#isNextLine() ? this.#takeLine(record, taking) : this.#judge(record, at, taking);
      if (stop !== undefined) return stop;
      this.#sink = record.offset + 1;
      if (this.#source !== before) {
        this.#epoch = outcomeEpoch(record.headers);
        this.#mappedWith = this.#header.mappingVersion;
        if (this.#options.follows === true) this.#follow(record, taking);
      }
      const cause = trigger.full(this.slice.lineCount, this.slice.bytes);
      if (cause !== undefined) return { kind: 'close', index: at + 1, cause };
    }
    if (batch.missing === 'lost' && batch.next > this.#sink)
      return { kind: 'torn', index: batch.records.length, low: batch.next };
    this.#sink = Math.max(this.#sink, batch.next);
    return undefined;
  }

  #follow({ headers }: LogRecord, { now }: Taking): void {
    const traceparent = outcomeTraceparent(headers);
    if (traceparent !== undefined) this.slice.follow(traceparent, now());
  }

  /**
   * True for an outcome of offsets that were taken, all of it or its beginning, when it was read in a later epoch than
   * the position: what had these offsets before is not in the source any more. Its mapper knew an older position, which
   * does not show that.
   */
  #isOfOtherEvents(record: LogRecord): boolean {
    const { kind, from } = this.#header;
    if (from >= this.#source || this.#epoch === undefined || this.base.cut !== undefined) return false;
    // Offsets without an event say nothing: which epoch they were of nobody knows.
    return kind !== 'lost' && kind !== 'none' && (outcomeEpoch(record.headers) ?? 0) > this.#epoch;
  }

  /** True for what nearly every outcome is: the line of the very next source offset, inside the open interval. */
  #isNextLine(): boolean {
    const { kind, from, to, mappingVersion } = this.#header;
    const known = this.slice.mappingVersion;
    return (
      (kind === 'row' || kind === 'dead') &&
      from === this.#source &&
      to === this.#source + 1 &&
      to >= this.#openFrom &&
      (known === undefined || known === mappingVersion)
    );
  }

  #takeLine(record: LogRecord, { now }: Taking): undefined {
    this.slice.openedAt ??= now();
    this.slice.add(this.#header, record);
    this.#source = this.#header.to;
  }

  /** Takes any outcome by the rules of the protocol; answers why it cannot be taken now. */
  #judge(record: LogRecord, at: number, { fresh, now }: Taking): Stop | undefined {
    const { base, slice, awaits } = this;
    const { from, to, kind, mappingVersion } = this.#header;
    const position = { source: this.#source, intervals: base.intervals, torn: base.torn, awaits, fresh };
    const verdict = judge(position, { from, to });
    if (verdict.kind === 'needsFreshDocument') return { kind: 'stale', index: at };
    if (verdict.kind === 'gap') return { kind: 'gap', index: at, at: record.offset, missing: verdict.missing, to };
    const isOtherMapping = slice.mappingVersion !== undefined && slice.mappingVersion !== mappingVersion;
    if (hasLines(kind) && isOtherMapping && takes(verdict)) return { kind: 'close', index: at, cause: 'mapping' };
    this.#takeJudged(verdict, record, now);
    return undefined;
  }

  #takeJudged(verdict: Judged, record: LogRecord, now: () => number): void {
    if (verdict.kind !== 'take' && verdict.kind !== 'hole') return;
    const { slice } = this;
    const { kind } = this.#header;
    slice.openedAt ??= now();
    this.#source = verdict.source;
    if (verdict.kind === 'hole') {
      this.#countHoles(verdict.runs);
      this.#takeJudged(verdict.outcome, record, now);
    } else if (kind === 'row' || kind === 'dead' || kind === 'packed') slice.add(this.#header, record);
    else if (kind === 'lost') this.#countHoles(verdict.runs);
    else slice.counts[kind] += countOffsets(verdict.runs);
  }

  #countHoles(runs: readonly Run[]): void {
    const count = countOffsets(runs);
    this.slice.counts.holes += count;
    this.#options.onHoles(count);
  }
}

function takes(verdict: Judged): boolean {
  return verdict.kind === 'take' || (verdict.kind === 'hole' && verdict.outcome.kind === 'take');
}
