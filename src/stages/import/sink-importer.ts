import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { importNote } from '../../core/import-note.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { clearFlush } from '../../core/progress/flush.ts';
import { failureKind } from '../../core/progress/failure-kind.ts';
import { importable, startImport } from '../../core/progress/import.ts';
import { giveUp, park, unpark } from '../../core/progress/parked.ts';
import {
  isRefused,
  outdated,
  refused,
  type ParkedSlice,
  type Refused,
  type RunningImport,
  type SinkProgress,
  type StagedSlice,
} from '../../core/progress/sink-progress.ts';
import type { Mapping } from '../../core/mapping.ts';
import type { RunningTime } from '../../core/running-time.ts';
import type { Trigger, TriggerCause } from '../../core/trigger.ts';
import type { LedgerRow } from '../../ports/import-ledger.ts';
import type { DeadLetters } from '../../ports/dead-letters.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { StatusBoard } from '../status/status-board.ts';
import { fitOf } from './table-fit.ts';
import { DamagedSlices } from './damaged-slices.ts';
import { droppedVersions } from './dropped-versions.ts';
import { dueImport, stagedState } from './due-import.ts';
import type { ImportRights } from './import-rights.ts';
import type { ImportHistory } from './import-history.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import type { ReadProgress } from '../replica/progress-document.ts';
import { LastRing } from './last-ring.ts';
import { LastingFailures } from './lasting-failures.ts';
import { LetterReplays, type Remapper } from './letter-replays.ts';
import { LostTopics } from './lost-topics.ts';
import { purgeDocument, purgeRest, type PurgePorts } from './purge.ts';
import { giveImportUp, mappingOf, runImport, type ImportPorts, type RunningOf } from './run-import.ts';
import { SinkDocument } from './sink-document.ts';
import { SliceFaults } from './slice-faults.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import { stagedAgeMs } from './staged-age.ts';

export interface SinkImporterOptions extends ImportPorts, Omit<PurgePorts, 'ledger'> {
  readonly tables: Tables;
  readonly sourceLog: EventLog;
  readonly rights: ImportRights;
  readonly status: StatusBoard;
  readonly observer: ImportObserver;
  readonly history: ImportHistory;
  readonly running: RunningTime;
  readonly unique: () => string;
  readonly letters: DeadLetters;
  readonly remapper: Remapper;
  readonly trigger: (key: SinkKey) => Trigger;
  readonly retry: RetryPacing;
}

interface Starting extends Waiting {
  readonly cause: TriggerCause;
  readonly mapping: Mapping;
}

/**
 * Imports what is staged of one incarnation, one import after the other. Except for clocks, everything that it holds is
 * in the document: if it is killed at any moment, its successor reads the document and goes on.
 */
export class SinkImporter {
  readonly #options: SinkImporterOptions;
  readonly incarnation: Incarnation;
  readonly #document: SinkDocument;
  readonly #lasting: LastingFailures;
  readonly #damaged: DamagedSlices;
  readonly #faults: SliceFaults;
  readonly #lostTopics: LostTopics;
  readonly #lastRing: LastRing;
  readonly #replays: LetterReplays;
  /** Monotonic time at which the oldest slice was staged, as far as that is known; undefined while none waits. */
  #stagedSince: number | undefined;
  #retryAt = 0;
  /** Slices that are parked for their table have a clock of their own: while they wait, later ones go on. */
  #parkedRetryAt = 0;
  /** The failure that is reported is one of slices that are parked for their table. */
  #misfitReported = false;
  /**
   * The last try failed as a whole, and that is reported. So another try follows, even if only to find that all is
   * well.
   */
  #hasFailed = false;
  #working = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  #endedAt = Number.NEGATIVE_INFINITY;
  /** The import that this process saw begin, on the monotonic clock. */
  #begun: { readonly id: string; readonly at: number } | undefined;
  /** The document as it was purged; what belongs to it goes when the document is found to be gone. */
  #rest: SinkProgress | undefined;
  /** The change came while a try was under way, which may not have seen it. */
  #hurried = false;

  constructor(options: SinkImporterOptions, incarnation: Incarnation) {
    this.#options = options;
    this.incarnation = incarnation;
    this.#document = new SinkDocument(options.catalog, incarnation);
    this.#lostTopics = new LostTopics({ ...options, document: this.#document });
    this.#lastRing = new LastRing(options.clock);
    this.#faults = new SliceFaults(options);
    this.#replays = new LetterReplays({ ...options, incarnation, document: this.#document, faults: this.#faults });
    this.#lasting = new LastingFailures({ ...options, document: this.#document });
    this.#damaged = new DamagedSlices({
      ...options,
      incarnation,
      document: this.#document,
      lasting: this.#lasting,
    });
  }

  get isWorking(): boolean {
    return this.#working;
  }

  /** Monotonic time at which it last began to work; far in the past when it never did. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** Monotonic time since which it has waited for what comes next; far in the past when it never had anything to do. */
  get waitsSince(): number {
    return Math.max(this.#startedAt, this.#stagedSince ?? Number.NEGATIVE_INFINITY);
  }

  /** Monotonic time at which what a purged document left is removed; undefined when there is nothing. */
  get restDueAt(): number | undefined {
    return this.#rest === undefined ? undefined : this.#retryAt;
  }

  /**
   * Monotonic time at which there is something to do: now or past, later, or undefined when only a change of the document
   * can bring work. `held` is a copy of the document, which may be behind; one that stays older than what was read is what the catalog
   * was brought back to, and the document is read again.
   */
  dueAt(held: ReadProgress, now: number): number | undefined {
    if (held.revision < this.#document.newest) return Math.max(this.#endedAt + limits.oldCopyMs, this.#retryAt);
    const progress = held.value;
    this.#watchStaged(progress, now);
    const misfits = progress.parked.some(isMisfit) ? this.#parkedRetryAt : undefined;
    const wanted = [
      this.#wantedAt(progress, now),
      misfits,
      this.#damaged.dueAt(progress),
      this.#lostTopics.dueAt(progress),
    ];
    const first = Math.min(...wanted.map((at) => at ?? Number.POSITIVE_INFINITY));
    return first === Number.POSITIVE_INFINITY ? undefined : Math.max(first, this.#retryAt);
  }

  /** Somebody has changed the sink: whatever failed is tried again at once. */
  hurry(): void {
    this.#hurried = true;
    this.#retryAt = 0;
    this.#parkedRetryAt = 0;
    this.#damaged.hurry();
  }

  /** Another process imports for the sink, or the sink is gone: this importer's failures are no longer reported. */
  leave(): void {
    this.#options.status.clear({ incarnation: this.incarnation });
    this.#damaged.settle({ parked: [] });
  }

  /** Does everything that is due; failures are noted on the status board and tried again later. Never rejects. */
  async work({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#working = true;
    this.#startedAt = this.#options.clock.monotonic();
    this.#hurried = false;
    try {
      const progress = await this.#steps(signal);
      this.#retryAt = 0;
      this.#hasFailed = false;
      const { parked } = progress ?? { parked: [] };
      this.#damaged.settle({ parked });
      if (!parked.some(isMisfit)) this.#options.status.clear({ incarnation: this.incarnation });
      else if (!this.#misfitReported) this.#parkedRetryAt = 0;
    } catch (thrown) {
      if (signal.aborted) return;
      this.#misfitReported = false;
      this.#hasFailed = true;
      await this.#noteFailure(MillraceError.fromUnknown(thrown), signal);
    } finally {
      this.#working = false;
      this.#endedAt = this.#options.clock.monotonic();
      if (this.#hurried) this.hurry();
    }
  }

  /**
   * The wall clock is asked for the age once. After that the age grows with the monotonic clock, whatever happens to
   * the wall clock.
   */
  #watchStaged(progress: SinkProgress, now: number): void {
    const { clock, trigger } = this.#options;
    if (progress.staged.length === 0) this.#stagedSince = undefined;
    else if (this.#stagedSince === undefined) {
      const { intervalMs } = trigger(progress.key);
      this.#stagedSince = now - (stagedAgeMs(progress, { now: clock.now(), intervalMs }) ?? 0);
    }
  }

  #wantedAt(progress: SinkProgress, now: number): number | undefined {
    if (this.#hasFailed || progress.importing !== undefined || progress.replaying !== undefined) return now;
    if (progress.replay?.state === 'running') return now;
    if (progress.flush !== undefined && !isRefused(clearFlush(progress))) return now;
    if (progress.staged.length === 0) return this.#lastRing.goesAt(progress, now);
    const since = this.#stagedSince ?? now;
    const trigger = this.#options.trigger(progress.key);
    const isDue = dueImport(progress, trigger, { since, now }) !== undefined;
    return isDue ? now : trigger.deadline(stagedState(progress, since), now);
  }

  /** Answers the document as it was left; undefined when there is none. */
  async #steps(signal: AbortSignal): Promise<SinkProgress | undefined> {
    const options = this.#options;
    let progress = (await this.#document.read({ signal }))?.value;
    if (progress === undefined) {
      await this.#purgeRest(signal);
      return undefined;
    }
    progress = await this.#replays.finish(progress, { signal });
    if (progress.dropped !== undefined) progress = await this.#giveUpDropped(progress, signal);
    if (progress.importing !== undefined) progress = await this.#import(progress, signal);
    if (progress.parked.some(isMisfit) && options.clock.monotonic() >= this.#parkedRetryAt)
      progress = await this.#unparkFitting(progress, signal);
    const othersWait = this.#cause(progress) !== undefined;
    progress = await this.#damaged.unparkDue(progress, { othersWait, signal });
    progress = await this.#importDue(progress, signal);
    if (progress.flush !== undefined)
      progress = await this.#document.after(clearFlush, { signal, otherwise: progress });
    progress = await this.#replays.next(progress, { signal });
    if (!progress.deleted) return progress;
    await this.#lostTopics.look(progress, { signal });
    const held = await this.#document.read({ signal });
    if (held !== undefined && !this.#lastRing.isOver(held.value)) return progress;
    this.#rest ??= held?.value;
    if (held !== undefined && !(await purgeDocument(options, held, { signal }))) return progress;
    await this.#purgeRest(signal);
    return undefined;
  }

  /** Removes what the document left, once that is gone. */
  async #purgeRest(signal: AbortSignal): Promise<void> {
    const rest = this.#rest;
    if (rest === undefined) return;
    await this.#options.history.forget(this.incarnation);
    await purgeRest(this.#options, rest, { signal });
    this.#rest = undefined;
    this.#options.observer.incarnationPurged(rest);
  }

  /** Imports what is due. Slices that do not fit their table are parked on the way. */
  async #importDue(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    let current = progress;
    for (let cause = this.#cause(current); cause !== undefined; cause = this.#cause(current)) {
      const version = current.staged[0]?.mappingVersion ?? 0;
      const mapping = await mappingOf(this.#options.catalog, { incarnation: this.incarnation, version }, { signal });
      const misfit = await this.#misfitOf(current, mapping, signal);
      if (misfit === undefined) {
        const started = await this.#start({ cause, mapping, signal });
        return started === undefined ? current : this.#import(started, signal);
      }
      current = await this.#park(current, version, { reason: misfit, signal });
    }
    return current;
  }

  /** Why the slices of a mapping version cannot be imported now; what waits for its next try is not asked again before that. */
  async #misfitOf(
    progress: SinkProgress,
    mapping: Mapping,
    signal: AbortSignal,
  ): Promise<MillraceError | 'parked' | undefined> {
    const { catalog, tables, rights, clock } = this.#options;
    const isParked = progress.parked.some((slice) => isMisfit(slice) && slice.mappingVersion === mapping.version);
    if (isParked && clock.monotonic() < this.#parkedRetryAt) return 'parked';
    await rights.check(progress, mapping.tableId, { signal });
    return (await fitOf({ catalog, tables }, { progress, mapping }, { signal })).misfit;
  }

  #cause(progress: SinkProgress): TriggerCause | undefined {
    const { clock, trigger } = this.#options;
    const now = clock.monotonic();
    this.#watchStaged(progress, now);
    return dueImport(progress, trigger(progress.key), { since: this.#stagedSince ?? now, now });
  }

  /** Moves the first slices, which are of this mapping, to `importing`; undefined when nothing was started. */
  async #start({ cause, mapping, signal }: Starting): Promise<SinkProgress | undefined> {
    const { clock, unique, observer } = this.#options;
    const at = clock.now();
    const id = unique();
    const transition = (document: SinkProgress): SinkProgress | Refused => {
      if (document.staged[0]?.mappingVersion !== mapping.version) return outdated('others are the first by now');
      // Whoever drops it has given up the imports that ran, and waits for no other one.
      if (document.dropped?.includes(mapping.tableId) === true) return refused('its table is dropped');
      return startImport(document, { id, at });
    };
    const started = await this.#document.apply(transition, { signal });
    if (started?.applied !== true) return undefined;
    // What this import does not take has waited as long as what it takes.
    if (started.value.staged.length === 0) this.#stagedSince = undefined;
    const { number = 0, slices = [] } = started.value.importing ?? {};
    this.#begun = { id, at: clock.monotonic() };
    observer.importStarted(started.value, { number, cause, slices: slices.length });
    return started.value;
  }

  async #import(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    const { clock, observer } = this.#options;
    const { importing: running } = progress;
    if (running === undefined) return progress;
    const { number, slices } = running;
    const began = clock.monotonic();
    const of = this.#noted(progress, running);
    try {
      const { verdict, tableId } = await runImport(this.#options, of, { signal });
      const durationMs = clock.monotonic() - began;
      if (verdict === 'loaded') observer.importFinished(progress, { number, tableId, slices, durationMs });
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown);
      const isMisfit = failureKind(error.code) === 'misfit';
      if (!isMisfit && !(await this.#faults.isOfOne(running, error, { signal }))) throw error;
      await giveImportUp(this.#options, of, { signal });
      observer.importAbandoned(progress, { number, reason: error.message });
      if (isMisfit) return this.#park(progress, slices[0]?.mappingVersion ?? 0, { reason: error, signal });
      const [only] = slices;
      if (only !== undefined && slices.length === 1)
        return (await this.#damaged.park(only, error, { signal })) ?? progress;
    }
    return (await this.#document.read({ signal }))?.value ?? progress;
  }

  /** The import, whose end goes to the history. */
  #noted(progress: SinkProgress, running: RunningImport): RunningOf {
    const { clock, history } = this.#options;
    const onVerdict = (verdict: LedgerRow['verdict']): void => {
      const durationMs = this.#begun?.id === running.id ? clock.monotonic() - this.#begun.at : undefined;
      const end = { verdict, at: clock.now(), ...(durationMs === undefined ? {} : { durationMs }) };
      history.note(importNote(progress, running, end));
    };
    return { progress, running, onVerdict };
  }

  async #park(
    progress: SinkProgress,
    mappingVersion: number,
    { reason, signal }: { reason: MillraceError | 'parked'; signal: AbortSignal },
  ): Promise<SinkProgress> {
    const at = this.#options.clock.now();
    const transition = (document: SinkProgress) => park(document, { mappingVersion, at });
    const after = await this.#document.after(transition, { signal, otherwise: progress });
    if (reason === 'parked') return after;
    this.#options.observer.slicesParked(progress, { mappingVersion, reason: reason.message });
    this.#reportMisfit(reason);
    return this.#noteMisfit(after, mappingVersion, { reason, signal });
  }

  #reportMisfit(reason: MillraceError): void {
    this.#misfitReported = true;
    this.#parkedRetryAt = this.#report(reason);
  }

  /** Notes that what is parked for this mapping version does not fit; answers the document as it stands then. */
  async #noteMisfit(
    progress: SinkProgress,
    mappingVersion: number,
    { reason, signal }: { reason: MillraceError; signal: AbortSignal },
  ): Promise<SinkProgress> {
    const isFailing = (slice: ParkedSlice): boolean => isMisfit(slice) && slice.mappingVersion === mappingVersion;
    return (await this.#lasting.note(({ parked }) => parked.filter(isFailing), reason, { signal })) ?? progress;
  }

  /** Brings back what fits its table again; it is due at once, because it was due when it was parked. */
  async #unparkFitting(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    const { catalog, tables } = this.#options;
    let after = progress;
    let misfit: MillraceError | undefined;
    for (const version of new Set(progress.parked.filter(isMisfit).map((slice) => slice.mappingVersion))) {
      const mapping = await mappingOf(catalog, { incarnation: this.incarnation, version }, { signal });
      const { misfit: reason } = await fitOf({ catalog, tables }, { progress: after, mapping }, { signal });
      misfit ??= reason;
      if (reason !== undefined) {
        after = await this.#noteMisfit(after, version, { reason, signal });
        continue;
      }
      after = await this.#document.after((document) => unpark(document, version), { signal, otherwise: after });
      this.#stagedSince = Number.NEGATIVE_INFINITY;
    }
    if (misfit !== undefined) this.#reportMisfit(misfit);
    return after;
  }

  /**
   * Gives up what waits for tables that are gone with the source; a running import of it is abandoned first, unless it
   * has been loaded.
   */
  async #giveUpDropped(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    const versions = await droppedVersions(this.#options.catalog, progress, { signal });
    if (versions.size === 0) return progress;
    const { importing } = progress;
    const isLost = ({ mappingVersion }: StagedSlice): boolean => versions.has(mappingVersion);
    if (importing?.slices.some(isLost) === true)
      await giveImportUp(this.#options, this.#noted(progress, importing), { signal });
    const { staged, parked } = (await this.#document.read({ signal }))?.value ?? progress;
    await this.#giveUp([...staged, ...parked].filter(isLost), signal);
    return (await this.#document.read({ signal }))?.value ?? progress;
  }

  async #giveUp(slices: readonly StagedSlice[], signal: AbortSignal): Promise<void> {
    for (const slice of slices) {
      const after = await this.#document.apply((document) => giveUp(document, slice.id), { signal });
      if (after?.applied === true) this.#options.observer.sliceGivenUp(after.value, slice);
    }
  }

  /** A try has failed as a whole: tells why, and when it is tried again. */
  async #noteFailure(error: MillraceError, signal: AbortSignal): Promise<void> {
    this.#retryAt = this.#report(error);
    if (failureKind(error.code) !== 'rights') return;
    // Without a token an import does not even begin: what it would have taken waits for nothing else.
    await this.#lasting.note(importable, error, { signal });
  }

  /** Tells why the sink does not go on; answers when to try again, on the monotonic clock. */
  #report(error: MillraceError): number {
    const { status, retry } = this.#options;
    return status.failed({ incarnation: this.incarnation }, error, retry);
  }
}

/** Parked because its mapping version does not fit the table, not for what it holds. */
function isMisfit({ damage }: ParkedSlice): boolean {
  return damage === undefined;
}
