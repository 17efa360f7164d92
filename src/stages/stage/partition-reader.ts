import { backoffMs, type BackoffPolicy } from '../../core/backoff.ts';
import type { Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { bufferOf, OutcomeHeader } from '../../core/outcome.ts';
import { flushEnd, hasPassed } from '../../core/progress/flush.ts';
import { countOffsets, type Run } from '../../core/progress/intervals.ts';
import { tear } from '../../core/progress/seal.ts';
import { entryOf, sameEntry, type PartitionEntry, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { judge, type Verdict } from '../../core/progress/take.ts';
import { dueTrigger, type TriggerCause, type TriggerConditions } from '../../core/trigger.ts';
import type { EventLog, RecordBatch, Waiting } from '../../ports/event-log.ts';
import type { FailingPlace, StatusBoard } from '../status/status-board.ts';
import { checkTopic } from './check-topic.ts';
import { OpenSlice } from './open-slice.ts';
import {
  compareAndSet,
  readDocument,
  sealSlice,
  type ReadDocument,
  type Sealed,
  type SealPorts,
} from './seal-slice.ts';
import type { StageObserver } from './stage-observer.ts';

export interface PartitionReaderOptions extends SealPorts {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  /** Folder for local slice files; a cache of the log. */
  readonly folder: string;
  readonly status: StatusBoard;
  readonly observer: StageObserver;
  readonly conditions: (progress: SinkProgress) => TriggerConditions;
  readonly random: () => number;
  readonly retry: BackoffPolicy;
}

/** An open slice as people see it. */
export interface OpenSliceState {
  readonly incarnation: Incarnation;
  readonly partition: number;
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes. */
  readonly bytes: number;
  /** Since its first outcome. */
  readonly ageMs: number;
}

/** Where a reader stands relative to its document; `undefined` document: it has to start (again). */
interface Standing {
  document: ReadDocument;
  base: PartitionEntry;
  /** Next sink offset to read. */
  sink: Offset;
  /** Last source offset taken. */
  source: Offset;
  /** Start of the interval that is open; infinite when none is. */
  openFrom: Offset;
  slice: OpenSlice;
}

/**
 * Reads the outcomes of one partition of one incarnation and gathers them into slices (rules 2 and 3 of the protocol). What it
 * holds is a cache: whenever the document's entry is not the one that it started from, or anything fails, it drops all and
 * starts again from the document.
 */
export class PartitionReader {
  readonly at: TopicPartition;
  readonly incarnation: Incarnation;
  readonly #options: PartitionReaderOptions;
  readonly #header = new OutcomeHeader();
  #standing: Standing | undefined;
  #retryAt = 0;
  /** The failure that is reported came from starting, so that starting heals it. */
  #failedToStart = false;

  constructor(at: TopicPartition, incarnation: Incarnation, options: PartitionReaderOptions) {
    this.at = at;
    this.incarnation = incarnation;
    this.#options = options;
  }

  /** Next sink offset to read; undefined while the reader has to start. */
  get position(): Offset | undefined {
    return this.#standing?.sink;
  }

  /** First sink offset that the document does not pass yet: what lies below is needed by nobody. */
  get sealed(): Offset | undefined {
    return this.#standing?.base.sink;
  }

  /** What is open now; undefined when nothing is. */
  openSlice(now: number): OpenSliceState | undefined {
    const slice = this.#standing?.slice;
    if (slice?.openedAt === undefined) return undefined;
    const { incarnation, at } = this;
    return {
      incarnation,
      partition: at.partition,
      rows: slice.rowCount,
      dead: slice.deadCount,
      bytes: slice.bytes,
      ageMs: now - slice.openedAt,
    };
  }

  /** Monotonic time at which a reader that has to start may do so. */
  get startAt(): number {
    return this.#retryAt;
  }

  /** Monotonic time at which the open slice is due by its interval; undefined while nothing is open. */
  get deadline(): number | undefined {
    const opened = this.#standing?.slice.openedAt;
    if (this.#standing === undefined || opened === undefined) return undefined;
    return opened + this.#options.conditions(this.#standing.document.value).intervalMs;
  }

  /** Why the open slice should be closed now. */
  due(now: number): TriggerCause | undefined {
    const standing = this.#standing;
    if (standing === undefined || standing.slice.openedAt === undefined) return undefined;
    const { document, base, source, slice } = standing;
    const end = flushEnd(document.value, this.at.partition);
    if (end !== undefined && hasPassed({ ...base, source }, end)) return 'flush';
    return dueTrigger(slice.triggerState(now), this.#options.conditions(document.value));
  }

  /** A newer document was seen: goes on with it when its entry is still the reader's base, else drops everything. */
  notice(document: ReadDocument): void {
    const standing = this.#standing;
    if (standing === undefined || document.revision <= standing.document.revision) return;
    if (sameEntry(entryOf(document.value, this.at.partition), standing.base)) standing.document = document;
    else this.drop();
  }

  /** Reads the document and stands at its entry. Rejects never; a failure is reported and tried again at `startAt`. */
  async start(options: Waiting): Promise<void> {
    await this.#guarded(options, async () => {
      const document = await readDocument(this.#options.catalog, this.incarnation, options);
      if (document === undefined) {
        this.#retryAt = this.#options.clock.monotonic() + 1000;
        return;
      }
      await checkTopic(this.#options.sinkLog, { progress: document.value, partition: this.at.partition }, options);
      this.#stand(document);
      if (this.#failedToStart) this.#options.status.clear(this.#place);
      this.#failedToStart = false;
    });
    this.#failedToStart ||= this.#standing === undefined;
  }

  /**
   * Takes the records of a batch, sealing on the way when a trigger fires. Undefined when all is done already, else a
   * promise that resolves when it is; never rejects. Must not be called while a promise of this reader is open.
   */
  process(batch: RecordBatch, options: Waiting): Promise<void> | undefined {
    let left: Stop | undefined;
    try {
      left = this.#takeAll(batch, 0, false);
    } catch (thrown) {
      return this.#guarded(options, () => Promise.reject(MillraceError.fromUnknown(thrown, 'objects.unavailable')));
    }
    const stop = left;
    return stop === undefined ? undefined : this.#guarded(options, () => this.#finish(batch, stop, options));
  }

  /** Closes the open slice; never rejects. */
  async close(cause: TriggerCause, options: Waiting): Promise<void> {
    await this.#guarded(options, () => this.#seal(cause, options).then(() => undefined));
  }

  /** Forgets everything that is not in the document. */
  drop(): void {
    this.#standing?.slice.discard();
    this.#standing = undefined;
  }

  /** Forgets everything: the partition is not this process's business any more. */
  leave(): void {
    this.drop();
    this.#options.status.clear(this.#place);
  }

  get #place(): FailingPlace {
    return { incarnation: this.incarnation, partition: this.at.partition };
  }

  /** Takes records from `index` on as far as it goes without waiting; answers why it stopped, or undefined at the end. */
  #takeAll(batch: RecordBatch, index: number, fresh: boolean): Stop | undefined {
    const standing = this.#standing;
    if (standing === undefined) return undefined;
    if (batch.first > standing.sink) return { kind: 'torn', index };
    const { count, sizeBytes } = this.#options.conditions(standing.document.value);
    const { slice } = standing;
    for (let at = index; at < batch.records.length; at += 1) {
      const record = batch.records[at];
      if (record === undefined || record.offset < standing.sink) continue;
      const value = bufferOf(record.value);
      this.#header.read(value);
      const stop = this.#isNextLine(standing)
        ? this.#takeLine(standing, value)
        : this.#judge(standing, value, { at, fresh });
      if (stop !== undefined) return stop;
      standing.sink = record.offset + 1;
      if (slice.lineCount >= count) return { kind: 'close', index: at + 1, cause: 'count' };
      if (slice.bytes >= sizeBytes) return { kind: 'close', index: at + 1, cause: 'size' };
    }
    standing.sink = Math.max(standing.sink, batch.next);
    return undefined;
  }

  /** True for what nearly every outcome is: the line of the very next source offset, inside the open interval. */
  #isNextLine({ source, openFrom, slice }: Standing): boolean {
    const { kind, from, to, mappingVersion } = this.#header;
    return (
      (kind === 'row' || kind === 'dead') &&
      from === source &&
      to === source + 1 &&
      to >= openFrom &&
      (slice.mappingVersion === undefined || slice.mappingVersion === mappingVersion)
    );
  }

  #takeLine(standing: Standing, value: Buffer): undefined {
    standing.slice.openedAt ??= this.#options.clock.monotonic();
    standing.slice.add(this.#header, value);
    standing.source = this.#header.to;
  }

  /** Takes any outcome by the rules of the protocol; answers why it cannot be taken now. */
  #judge(
    standing: Standing,
    value: Buffer,
    { at, fresh }: { readonly at: number; readonly fresh: boolean },
  ): Stop | undefined {
    const { source, base, slice } = standing;
    const { from, to, kind, mappingVersion } = this.#header;
    const verdict = judge({ source, intervals: base.intervals, torn: base.torn, fresh }, { from, to });
    if (verdict.kind === 'needsFreshDocument') return { kind: 'stale', index: at };
    if (verdict.kind === 'gap') return { kind: 'gap', index: at, missing: verdict.missing, to };
    const isLine = kind === 'row' || kind === 'dead';
    const isOtherMapping = slice.mappingVersion !== undefined && slice.mappingVersion !== mappingVersion;
    if (isLine && isOtherMapping && takes(verdict)) return { kind: 'close', index: at, cause: 'mapping' };
    this.#take(standing, verdict, value);
    return undefined;
  }

  #take(standing: Standing, verdict: Judged, value: Buffer): void {
    if (verdict.kind === 'repeat' || verdict.kind === 'outside') return;
    const { slice } = standing;
    slice.openedAt ??= this.#options.clock.monotonic();
    standing.source = verdict.source;
    if (verdict.kind === 'hole') {
      this.#countHoles(standing, verdict.runs);
      this.#take(standing, verdict.outcome, value);
      return;
    }
    const { kind } = this.#header;
    if (kind === 'row' || kind === 'dead') slice.add(this.#header, value);
    else if (kind === 'lost') this.#countHoles(standing, verdict.runs);
    else slice.counts[kind] += countOffsets(verdict.runs);
  }

  #countHoles({ slice, document }: Standing, runs: readonly Run[]): void {
    const count = countOffsets(runs);
    slice.counts.holes += count;
    this.#options.observer.holesFound(document.value, { partition: this.at.partition, count });
  }

  /** Goes on with a batch that stopped, waiting where it has to. */
  async #finish(batch: RecordBatch, stop: Stop, options: Waiting): Promise<void> {
    let left: Stop | undefined = stop;
    while (left !== undefined) {
      const fresh = left.kind === 'stale';
      if (!(await this.#overcome(left, batch, options))) return;
      left = this.#takeAll(batch, left.index, fresh);
    }
  }

  /** True when the batch can go on; false when the reader has to start again. */
  async #overcome(stop: Stop, batch: RecordBatch, options: Waiting): Promise<boolean> {
    switch (stop.kind) {
      case 'close':
        return this.#seal(stop.cause, options);
      case 'stale':
        return this.#refresh(options);
      case 'torn':
        return this.#tear(batch.first, options);
      case 'gap':
        throw gapError(this.at, stop);
      default:
        return stop satisfies never;
    }
  }

  async #refresh(options: Waiting): Promise<boolean> {
    const document = await readDocument(this.#options.catalog, this.incarnation, options);
    const standing = this.#standing;
    if (
      document === undefined ||
      standing === undefined ||
      !sameEntry(entryOf(document.value, this.at.partition), standing.base)
    ) {
      this.drop();
      return false;
    }
    standing.document = document;
    return true;
  }

  async #seal(cause: TriggerCause, options: Waiting): Promise<boolean> {
    const standing = this.#standing;
    if (standing === undefined) return false;
    if (standing.source === standing.base.source) return true;
    const { document, base, sink, source, slice } = standing;
    const positions = { partition: this.at.partition, base, sink, source };
    const sealed = await sealSlice(this.#options, { document, positions, open: slice }, options);
    const stands = this.#restand(sealed);
    if (sealed.kind === 'sealed' && sealed.slice !== undefined) {
      this.#options.observer.sliceSealed(sealed.document.value, { slice: sealed.slice, cause });
    }
    return stands;
  }

  /** The sink topic lost its head: seals what is held, then skips to `low` in the document and starts again there. */
  async #tear(low: Offset, options: Waiting): Promise<boolean> {
    if (!(await this.#seal('slices', options))) return false;
    const standing = this.#standing;
    if (standing === undefined) return false;
    const { partition } = this.at;
    const { document, base } = standing;
    const source = await this.#options.sourceLog.ranges(document.value.topics.source, options);
    const change = { partition, base, low, sourceEnd: source[partition]?.end ?? 0 };
    const torn = await compareAndSet(this.#options.catalog, document, {
      transition: (progress) => tear(progress, change),
      positions: { partition, base },
      slice: undefined,
      ...options,
    });
    this.#options.observer.topicTorn(document.value, { partition, low });
    return this.#restand(torn);
  }

  #restand(sealed: Sealed): boolean {
    this.drop();
    if (sealed.kind === 'superseded') return false;
    this.#stand(sealed.document);
    this.#options.status.clear(this.#place);
    return true;
  }

  #stand(document: ReadDocument): void {
    const base = entryOf(document.value, this.at.partition);
    const name = `${this.incarnation}-${this.at.partition}-${this.#options.unique()}`;
    const slice = new OpenSlice(this.#options.folder, name);
    const last = base.intervals.at(-1);
    const openFrom = last?.end === null ? last.start : Number.POSITIVE_INFINITY;
    this.#standing = { document, base, sink: base.sink, source: base.source, openFrom, slice };
  }

  /** Runs a step; a failure drops what is held, is reported, and lets the reader start again after a while. */
  async #guarded(options: Waiting, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (thrown) {
      this.#failedToStart = false;
      this.drop();
      if (options.signal.aborted) return;
      const { status, retry, random, clock } = this.#options;
      const delay = backoffMs(status.attempts(this.#place) + 1, retry, random());
      this.#retryAt = clock.monotonic() + delay;
      status.report(this.#place, MillraceError.fromUnknown(thrown), delay);
    }
  }
}

/** Why taking records stopped before the end of a batch, and at which record it goes on. */
type Stop =
  | { readonly kind: 'close'; readonly index: number; readonly cause: TriggerCause }
  | { readonly kind: 'stale'; readonly index: number }
  | { readonly kind: 'torn'; readonly index: number }
  | { readonly kind: 'gap'; readonly index: number; readonly missing: readonly Run[]; readonly to: Offset };

type Judged = Exclude<Verdict, { readonly kind: 'needsFreshDocument' | 'gap' }>;

function takes(verdict: Judged): boolean {
  return verdict.kind === 'take' || (verdict.kind === 'hole' && verdict.outcome.kind === 'take');
}

function gapError(at: TopicPartition, { missing, to }: { missing: readonly Run[]; to: Offset }): MillraceError {
  const runs = missing.map((run) => `${run.from + 1} to ${run.to}`).join(', ');
  return new MillraceError(
    'progress.gap',
    `topic "${at.topic}" partition ${at.partition}: source offsets ${runs} have no outcome before the one for ${to}`,
  );
}
