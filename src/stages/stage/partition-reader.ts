import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset } from '../../core/offset.ts';
import { noteCut } from '../../core/progress/cut.ts';
import { lostSource } from '../../core/progress/forgo.ts';
import { advance, neededFrom, tear } from '../../core/progress/seal.ts';
import {
  entryOf,
  isRefused,
  sameEntry,
  type PartitionEntry,
  type SinkProgress,
} from '../../core/progress/sink-progress.ts';
import type { Trigger, TriggerCause } from '../../core/trigger.ts';
import type { EventLog, IdentifiedPartition, PartitionEnds, RecordBatch } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { FailingPlace, StatusBoard } from '../status/status-board.ts';
import { checkIdentity } from '../replica/known-topic.ts';
import { checkTopic } from './check-topic.ts';
import type { LineBlocks } from './line-blocks.ts';
import { OpenSlice } from './open-slice.ts';
import { readProgress, type ReadProgress, type Transition } from '../replica/progress-document.ts';
import type { ReplicaChange } from '../replica/replica.ts';
import { writeEntry } from './write-entry.ts';
import { SlicesBehind, type SettledSlice, type SlicesBehindOptions } from './slices-behind.ts';
import type { StageObserver } from '../../telemetry/observe-stage.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import { Standing, type Stop } from './standing.ts';

export interface PartitionReaderOptions extends SlicesBehindOptions {
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  /** Folder for local slice files; a cache of the log. */
  readonly folder: string;
  readonly status: StatusBoard;
  readonly observer: StageObserver;
  readonly trigger: (progress: SinkProgress) => Trigger;
  readonly retry: RetryPacing;
  /** Of all slices of this thread. */
  readonly blocks: LineBlocks;
}

/**
 * Reads the outcomes of one partition of one incarnation and gathers them into slices (rules 2 and 3 of the protocol). What it
 * holds is a cache: whenever the document's entry is not the one that it started from, or anything fails, it drops all and
 * starts again from the document.
 */
export class PartitionReader {
  readonly at: IdentifiedPartition;
  readonly incarnation: Incarnation;
  readonly #options: PartitionReaderOptions;
  readonly #behind: SlicesBehind;
  #standing: Standing | undefined;
  #retryAt = 0;
  /** Monotonic time at which it was last said that a slice is late. */
  #toldLateAt = Number.NEGATIVE_INFINITY;
  /**
   * The reported failure is healed when everything below this sink offset is decided; undefined when none is reported.
   */
  #failedBelow: Offset | undefined;

  constructor(at: IdentifiedPartition, incarnation: Incarnation, options: PartitionReaderOptions) {
    this.at = at;
    this.incarnation = incarnation;
    this.#options = options;
    this.#behind = new SlicesBehind(options);
  }

  /** Next sink offset to read; undefined while the reader has to start. */
  get position(): Offset | undefined {
    return this.#standing?.sink;
  }

  /** First sink offset that may be read again: what lies below is needed by nobody. */
  get neededFrom(): Offset | undefined {
    const document = this.#standing?.document;
    return document === undefined ? undefined : neededFrom(entryOf(document.value, this.at.partition));
  }

  /** What is taken and not sealed yet, in its order; the first may have been sealed a moment ago. */
  openSlices(now: number): readonly OpenSliceState[] {
    const closing = this.#behind.closed.map(({ open, positions: { base, source } }) =>
      this.#stateOf(open, { isClosing: true, from: base.source, to: source, now }),
    );
    if (this.#standing === undefined) return [];
    const { slice, base, source } = this.#standing;
    if (slice.openedAt === undefined) return closing;
    return [...closing, this.#stateOf(slice, { isClosing: false, from: base.source, to: source, now })];
  }

  #stateOf(
    slice: OpenSlice,
    { now, ...position }: Pick<OpenSliceState, 'isClosing' | 'from' | 'to'> & { readonly now: number },
  ): OpenSliceState {
    const { firstArrival, lastArrival } = slice;
    return {
      incarnation: this.incarnation,
      partition: this.at.partition,
      ...position,
      rows: slice.rowCount,
      dead: slice.deadCount,
      bytes: slice.bytes,
      rowBytes: slice.rows.bytes,
      ...(slice.lineCount === 0 ? {} : { firstArrival, lastArrival }),
      ageMs: now - (slice.openedAt ?? now),
    };
  }

  /** True when the first slice behind has been sealed, or has failed, and `settle` has something to take over. */
  get hasSettled(): boolean {
    return this.#behind.hasSettled;
  }

  /** Slices are being sealed behind: `tellLate` may have something to say. */
  get hasSlicesBehind(): boolean {
    return this.#behind.count > 0;
  }

  /**
   * Reports a slice that waits long for its upload and its seal. Call it now and then, even while a promise is open.
   */
  tellLate(now: number): void {
    const below = this.#behind.firstEnd;
    if (below === undefined || !this.#isLate(now) || now < this.#toldLateAt + limits.uploadSlowMs) return;
    this.#toldLateAt = now;
    this.#failedBelow = Math.max(this.#failedBelow ?? 0, below);
    const seconds = Math.round(this.waitedMs(now) / 1000);
    const message = `a slice has waited ${seconds} s for its upload and its seal, and those after it wait, too`;
    this.#options.status.report(this.#place, new MillraceError('stage.slow', message), limits.uploadSlowMs);
  }

  /** How long its first closed slice has waited for its upload and its seal, milliseconds; 0 when there is none. */
  waitedMs(now: number): number {
    return now - (this.#behind.waitingSince ?? now);
  }

  #isLate(now: number): boolean {
    const since = this.#behind.waitingSince;
    return since !== undefined && now >= since + limits.uploadSlowMs;
  }

  /** Monotonic time at which a reader that has to start may do so. */
  get startAt(): number {
    return this.#retryAt;
  }

  /** Monotonic time at which the open slice is due; undefined while nothing is open. */
  deadline(now: number): number | undefined {
    const standing = this.#standing;
    return standing && this.#triggerOf(standing).deadline(standing.slice.triggerState, now);
  }

  /** Why the open slice should be closed now. */
  due(now: number): TriggerCause | undefined {
    const standing = this.#standing;
    return standing?.due(now, this.#triggerOf(standing));
  }

  /**
   * A newer document was seen: goes on with it when its entry is still the reader's base, else drops everything. While a slice
   * is being sealed behind, the entry may be either; then it is looked at when that has settled. One that comes with all others may be
   * what the catalog was brought back to: it counts whatever its revision.
   */
  notice(document: ReadProgress, { isWhole = false }: Partial<Pick<ReplicaChange, 'isWhole'>> = {}): void {
    const standing = this.#standing;
    if (standing === undefined || this.#behind.count > 0) return;
    if (!isWhole && document.revision <= standing.document.revision) return;
    if (this.#isBase(document, standing)) standing.document = document;
    else this.drop();
  }

  /** Reads the document and stands at its entry. Rejects never; a failure is reported and tried again at `startAt`. */
  async start(options: Waiting): Promise<void> {
    await this.#guarded(options, async () => {
      const document = await readProgress(this.#options.catalog, this.incarnation, options);
      if (document === undefined) {
        this.#retryAt = this.#options.clock.monotonic() + 1000;
        return;
      }
      await checkTopic(this.#options.sinkLog, { progress: document.value, at: this.at }, options);
      this.#stand(document, entryOf(document.value, this.at.partition));
      this.#healIfPassed();
    });
  }

  /**
   * Takes the records of a batch, sealing on the way when a trigger fires. Undefined when all is done already, else a
   * promise that resolves when it is; never rejects. Must not be called while a promise of this reader is open.
   */
  process(batch: RecordBatch, options: Waiting): Promise<void> | undefined {
    const { failure } = batch;
    // Whoever waits to start again has told it.
    if (failure !== undefined && this.#standing === undefined) return undefined;
    if (failure !== undefined) return this.#guarded(options, () => Promise.reject(failure));
    let left: Stop | undefined;
    try {
      left = this.#takeAll(batch, 0, false);
      while (left?.kind === 'close' && this.#behind.count < this.#behind.room) {
        this.#sealBehind(left.cause, options);
        left = this.#takeAll(batch, left.index, false);
      }
    } catch (thrown) {
      return this.#guarded(options, () => Promise.reject(MillraceError.fromUnknown(thrown, 'objects.unavailable')));
    }
    if (left === undefined) this.#healIfPassed();
    const stop = left;
    return stop === undefined ? undefined : this.#guarded(options, () => this.#finish(batch, stop, options));
  }

  /** Takes over what became of the slices behind, as far as they have settled; never rejects. */
  async settle(options: Waiting): Promise<void> {
    await this.#guarded(options, async () => {
      while (this.hasSettled) await this.#settle(this.#behind.count - 1);
    });
  }

  /** Closes the open slice; never rejects. */
  async close(cause: TriggerCause, options: Waiting): Promise<void> {
    await this.#guarded(options, () => this.#seal(cause, options).then(() => undefined));
  }

  /** Forgets everything that is not in the document. */
  drop(): void {
    this.#standing?.slice.discard();
    this.#standing = undefined;
    this.#behind.drop();
  }

  /** Forgets everything: the partition is not this process's business any more. */
  leave(): void {
    this.drop();
    this.#options.status.clear(this.#place);
  }

  /** Resolves when nothing that was dropped is under way any more. */
  ended(): Promise<void> {
    return this.#behind.ended();
  }

  get #place(): FailingPlace {
    return { incarnation: this.incarnation, partition: this.at.partition };
  }

  #triggerOf({ document }: Standing): Trigger {
    return this.#options.trigger(document.value);
  }

  #takeAll(batch: RecordBatch, index: number, fresh: boolean): Stop | undefined {
    const { clock } = this.#options;
    const standing = this.#standing;
    return standing?.take(batch, { index, fresh, trigger: this.#triggerOf(standing), now: () => clock.monotonic() });
  }

  /** Goes on with a batch that stopped, waiting where it has to. */
  async #finish(batch: RecordBatch, stop: Stop, options: Waiting): Promise<void> {
    let left: Stop | undefined = stop;
    while (left !== undefined) {
      const fresh = left.kind === 'stale';
      if (!(await this.#overcome(left, options))) return;
      left = this.#takeAll(batch, left.index, fresh);
    }
    this.#healIfPassed();
  }

  /** True when the batch can go on; false when the reader has to start again. */
  async #overcome(stop: Stop, options: Waiting): Promise<boolean> {
    switch (stop.kind) {
      case 'close':
        if (!(await this.#settle(this.#behind.room - 1))) return false;
        this.#sealBehind(stop.cause, options);
        return true;
      case 'stale':
        return this.#refresh(options);
      case 'torn':
        return this.#skip(stop.low, options);
      case 'gap':
        return this.#mapAgain(stop, options);
      case 'cut':
        return this.#noteCut(stop.cut, options);
      default:
        return stop satisfies never;
    }
  }

  async #refresh(options: Waiting): Promise<boolean> {
    if (!(await this.#settle())) return false;
    const document = await readProgress(this.#options.catalog, this.incarnation, options);
    const standing = this.#standing;
    if (document === undefined || standing === undefined || !this.#isBase(document, standing)) {
      this.drop();
      return false;
    }
    standing.document = document;
    return true;
  }

  /** True when a reader that stands here may go on with the document. */
  #isBase({ value }: ReadProgress, { base }: Standing): boolean {
    return value.topics.sinkIdentity === this.at.identity && sameEntry(entryOf(value, this.at.partition), base);
  }

  /** Seals what is held and stands behind it; true when the reader can go on. */
  async #seal(cause: TriggerCause, options: Waiting): Promise<boolean> {
    if (!(await this.#settle())) return false;
    if (this.#standing?.hasMoved !== true) return this.#standing !== undefined;
    this.#sealBehind(cause, options);
    return this.#settle();
  }

  /**
   * Begins to seal the slice and goes on with the next one, from the entry as it will be. Everything that rests on that is
   * dropped when the seal fails or is superseded.
   */
  #sealBehind(cause: TriggerCause, options: Waiting): void {
    const before = this.#standing;
    if (before === undefined) return;
    const { document, base, sink, source, epoch, mappedWith, slice } = before;
    const positions = { partition: this.at.partition, base, sink, source, epoch, mappedWith };
    this.#behind.add({ document, positions, open: slice }, cause, options);
    this.#stand(document, advance(base, positions));
  }

  /** Waits until no more than `left` slices are behind; true when what was taken since rests on them. */
  async #settle(left = 0): Promise<boolean> {
    while (this.#behind.count > left) {
      const settled = await this.#behind.takeFirst();
      if (settled === undefined || !this.#restOn(settled)) return false;
    }
    return this.#standing !== undefined;
  }

  #restOn({ sealed, cause }: SettledSlice): boolean {
    const standing = this.#standing;
    if (sealed.kind === 'superseded' || standing === undefined) {
      this.drop();
      return false;
    }
    const { document, slice } = sealed;
    if (slice !== undefined) this.#options.observer.sliceSealed(document.value, { slice, cause });
    standing.document = document;
    this.#healIfPassed();
    return true;
  }

  /**
   * Source offsets have no outcome: notes it, so that they are mapped again, or are holes when the source has lost
   * them, too. When they were noted before without effect, that is reported: the mapper may not see the note, or may
   * itself leave them out.
   */
  async #mapAgain(gap: Gap, options: Waiting): Promise<boolean> {
    const isKnown = this.#standing?.awaits === true;
    if (!(await this.#seal('slices', options))) return false;
    const source = await this.#sourceRange(options);
    if (source.stableEnd <= gap.to) throw gapError(this.at, gap);
    const isLost = (gap.missing.at(-1)?.to ?? 0) < source.first;
    if (!(await this.#tear({ low: isLost ? gap.at : gap.at + 1, source }, options))) return false;
    if (isKnown && !isLost) throw gapError(this.at, gap);
    return true;
  }

  /** The sink topic lost records: seals what is held, then skips to `low` in the document and starts again there. */
  async #skip(low: Offset, options: Waiting): Promise<boolean> {
    if (!(await this.#seal('slices', options))) return false;
    return this.#tear({ low, source: await this.#sourceRange(options) }, options);
  }

  async #sourceRange(options: Waiting): Promise<Pick<PartitionEnds, 'first' | 'stableEnd'>> {
    if (this.#standing === undefined) return { first: 0, stableEnd: 0 };
    const { base, document } = this.#standing;
    const lost = lostSource(base);
    if (lost !== undefined) return lost;
    const { source: topic, sourceIdentity: identity } = document.value.topics;
    const range = await this.#options.sourceLog.range({ topic, partition: this.at.partition }, options);
    // The identity is looked at afterwards: it never comes back, so the end is that of this very topic.
    await checkIdentity(this.#options.sourceLog, { topic, identity }, options);
    return range;
  }

  /** Writes down what was lost and goes on at `low`. */
  async #tear(
    { low, source }: { readonly low: Offset; readonly source: Pick<PartitionEnds, 'first' | 'stableEnd'> },
    options: Waiting,
  ): Promise<boolean> {
    const standing = this.#standing;
    if (standing === undefined) return false;
    const { partition } = this.at;
    const { document, base } = standing;
    const change = { partition, base, low, sourceEnd: source.stableEnd, sourceFirst: source.first };
    if (!(await this.#write((progress) => tear(progress, change), options))) return false;
    this.#options.observer.topicTorn(document.value, { partition, low });
    this.#healIfPassed();
    return true;
  }

  /**
   * Notes that the source has lost what was taken, so that its mapper stops; what the topic still has is taken
   * nevertheless.
   */
  async #noteCut(cut: Offset, options: Waiting): Promise<boolean> {
    const { partition } = this.at;
    if (!(await this.#seal('slices', options))) return false;
    return this.#write((progress) => noteCut(progress, { partition, cut }), options);
  }

  /** Writes a change of the entry that it started from, and stands at the entry as it is then; true when the reader can go on. */
  async #write(transition: Transition, options: Waiting): Promise<boolean> {
    const standing = this.#standing;
    if (standing === undefined) return false;
    const { partition } = this.at;
    const { document, base } = standing;
    const written = await writeEntry(this.#options.catalog, document, { partition, base, transition, ...options });
    this.drop();
    if (isRefused(written)) return false;
    this.#stand(written, entryOf(written.value, partition));
    return true;
  }

  #stand(document: ReadProgress, base: PartitionEntry): void {
    const { folder, unique, observer, spans, blocks } = this.#options;
    const { partition } = this.at;
    const slice = new OpenSlice(folder, `${this.incarnation}-${partition}-${unique()}`, blocks);
    const onHoles = (count: number): void => observer.holesFound(document.value, { partition, count });
    this.#standing = new Standing({ document, base, slice, partition, onHoles, follows: spans !== undefined });
  }

  /** Runs a step; a failure drops what is held, is reported, and lets the reader start again after a while. */
  async #guarded(options: Waiting, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (thrown) {
      // A slice that cannot be sealed is decided at its end, a record that cannot be judged once it is passed; a failed
      // start needs nothing to be passed.
      const below = this.#behind.firstEnd ?? (this.#standing === undefined ? 0 : this.#standing.sink + 1);
      this.drop();
      if (options.signal.aborted) return;
      const { status, retry } = this.#options;
      this.#failedBelow = Math.max(this.#failedBelow ?? 0, below);
      this.#retryAt = status.failed(this.#place, MillraceError.fromUnknown(thrown), retry);
    }
  }

  /**
   * Takes the report of a failure back when what failed is decided, whoever did it: the seal that failed may have arrived
   * after all, and then no other one follows.
   */
  #healIfPassed(): void {
    const standing = this.#standing;
    if (this.#failedBelow === undefined || standing === undefined || standing.awaits) return;
    const holdsNothing = standing.slice.openedAt === undefined && this.#behind.count === 0;
    const decided = holdsNothing ? standing.sink : entryOf(standing.document.value, this.at.partition).sink;
    if (decided < this.#failedBelow || this.#isLate(this.#options.clock.monotonic())) return;
    this.#failedBelow = undefined;
    this.#options.status.clear(this.#place);
  }
}

type Gap = Extract<Stop, { readonly kind: 'gap' }>;

function gapError(at: IdentifiedPartition, { missing, to }: Gap): MillraceError {
  const runs = missing.map((run) => `${run.from + 1} to ${run.to}`).join(', ');
  return new MillraceError(
    'progress.gap',
    `topic "${at.topic}" partition ${at.partition}: source offsets ${runs} have no outcome before the one for ${to}`,
  );
}
