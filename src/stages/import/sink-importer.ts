import { backoffMs, type BackoffPolicy } from '../../core/backoff.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import { clearFlush } from '../../core/progress/flush.ts';
import { giveUp, park, startImport, unpark } from '../../core/progress/import.ts';
import { isRefused, refused, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import { isSpent } from '../../core/progress/switch.ts';
import type { TableId } from '../../core/table-id.ts';
import type { TriggerCause } from '../../core/trigger.ts';
import type { StatusBoard } from '../status/status-board.ts';
import { checkTable } from './check-table.ts';
import { dueImport, type ImportConditions } from './due-import.ts';
import type { ImportObserver } from './import-observer.ts';
import { transit, type ReadProgress, type Transition } from './progress-document.ts';
import { purge, type PurgePorts } from './purge.ts';
import { giveImportUp, mappingOf, runImport, type ImportPorts } from './run-import.ts';

/** Who may load into the table of a sink. */
export interface ImportRights {
  /** Rejects with `sink.tokenMissing` when the sink's token is gone or may not write the table's bucket. */
  check(progress: SinkProgress, tableId: TableId, options: { readonly signal: AbortSignal }): Promise<void>;
}

export interface SinkImporterOptions extends ImportPorts, PurgePorts {
  readonly rights: ImportRights;
  readonly status: StatusBoard;
  readonly observer: ImportObserver;
  readonly unique: () => string;
  readonly random: () => number;
  readonly conditions: (key: SinkKey) => ImportConditions;
  readonly retry: BackoffPolicy;
}

/** The rows do not fit the table: the slices are parked, later mapping versions go on. */
const misfits: readonly string[] = ['table.schemaMismatch', 'table.notFound'];
/** Failures of the slice itself, not of a store that is away: after seven days of them a slice is dropped. */
const hopeless: readonly string[] = [...misfits, 'table.invalidContent', 'objects.notFound'];

/**
 * Imports what is staged of one incarnation, one import after the other. It holds nothing that is not in the document but
 * clocks: killed at any moment, its successor reads the document and goes on.
 */
export class SinkImporter {
  readonly #options: SinkImporterOptions;
  readonly #incarnation: Incarnation;
  #stagedSince: number | undefined;
  #retryAt = 0;
  #working = false;

  constructor(options: SinkImporterOptions, incarnation: Incarnation) {
    this.#options = options;
    this.#incarnation = incarnation;
  }

  get isWorking(): boolean {
    return this.#working;
  }

  /**
   * Monotonic time at which there is something to do: now or past, later, or undefined when only a change of the document
   * can bring work.
   */
  dueAt(progress: SinkProgress, now: number): number | undefined {
    this.#watchStaged(progress, now);
    const wanted = this.#wantedAt(progress, now);
    return wanted === undefined ? undefined : Math.max(wanted, this.#retryAt);
  }

  /** Does everything that is due; failures are noted on the status board and tried again later. Never rejects. */
  async work({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#working = true;
    try {
      await this.#steps(signal);
      this.#retryAt = 0;
      this.#options.status.clear(this.#incarnation);
    } catch (thrown) {
      if (!signal.aborted || !isCancellation(thrown)) await this.#failed(MillraceError.fromUnknown(thrown), signal);
    } finally {
      this.#working = false;
    }
  }

  #watchStaged(progress: SinkProgress, now: number): void {
    if (progress.staged.length === 0) this.#stagedSince = undefined;
    else this.#stagedSince ??= now;
  }

  #wantedAt(progress: SinkProgress, now: number): number | undefined {
    if (progress.importing !== undefined || progress.parked.length > 0) return now;
    if (isSpent(progress, Object.keys(progress.entries).map(Number))) return now;
    if (progress.flush !== undefined && !isRefused(clearFlush(progress))) return now;
    if (progress.staged.length === 0) return undefined;
    const since = this.#stagedSince ?? now;
    const conditions = this.#options.conditions(progress.key);
    return dueImport(progress, conditions, now - since) === undefined ? since + conditions.intervalMs : now;
  }

  async #steps(signal: AbortSignal): Promise<void> {
    const options = this.#options;
    let progress = (await this.#read(signal))?.value;
    if (progress === undefined) return;
    if (progress.importing !== undefined) progress = await this.#import(progress, signal);
    progress = await this.#unparkFitting(progress, signal);
    const cause = this.#cause(progress);
    const started = cause === undefined ? undefined : await this.#start(progress, cause, signal);
    if (started !== undefined) progress = await this.#import(started, signal);
    if (progress.flush !== undefined) progress = await this.#transit(clearFlush, signal, progress);
    if (progress.deleted) {
      const held = await this.#read(signal);
      if (held !== undefined && (await purge(options, held, { signal })))
        options.observer.incarnationPurged(held.value);
    }
    if (progress.parked.length > 0) throw await this.#misfit(progress, signal);
  }

  async #read(signal: AbortSignal): Promise<ReadProgress | undefined> {
    return transit(this.#options.catalog, this.#incarnation, { transition: () => refused('only read'), signal });
  }

  #cause(progress: SinkProgress): TriggerCause | undefined {
    const { clock, conditions } = this.#options;
    const now = clock.monotonic();
    this.#watchStaged(progress, now);
    return dueImport(progress, conditions(progress.key), now - (this.#stagedSince ?? now));
  }

  /** Moves the first slices to `importing`, or parks them when their table does not fit; undefined when nothing was started. */
  async #start(progress: SinkProgress, cause: TriggerCause, signal: AbortSignal): Promise<SinkProgress | undefined> {
    const { catalog, clock, unique, observer, rights, tables } = this.#options;
    const version = progress.staged[0]?.mappingVersion ?? 0;
    const mapping = await mappingOf(catalog, { incarnation: this.#incarnation, version }, { signal });
    await rights.check(progress, mapping.tableId, { signal });
    const misfit = await checkTable(tables, mapping, { signal });
    if (misfit !== undefined) {
      await this.#park(progress, version, { reason: misfit, signal });
      throw misfit;
    }
    const at = clock.now();
    const id = unique();
    const started = await transit(catalog, this.#incarnation, {
      transition: (document) => startImport(document, { id, at }),
      signal,
    });
    if (started?.applied !== true) return undefined;
    this.#stagedSince = undefined;
    const { number = 0, slices = [] } = started.value.importing ?? {};
    observer.importStarted(started.value, { number, cause, slices: slices.length });
    return started.value;
  }

  async #import(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    const { clock, observer } = this.#options;
    const { importing: running } = progress;
    if (running === undefined) return progress;
    const { number, slices } = running;
    const began = clock.monotonic();
    try {
      const { verdict, tableId } = await runImport(this.#options, { progress, running }, { signal });
      const durationMs = clock.monotonic() - began;
      if (verdict === 'loaded') observer.importFinished(progress, { number, tableId, slices, durationMs });
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown);
      if (!misfits.includes(error.code)) throw error;
      await giveImportUp(this.#options, progress, { signal });
      observer.importAbandoned(progress, { number, reason: error.message });
      await this.#park(progress, slices[0]?.mappingVersion ?? 0, { reason: error, signal });
      throw error;
    }
    return (await this.#read(signal))?.value ?? progress;
  }

  async #park(
    progress: SinkProgress,
    mappingVersion: number,
    { reason, signal }: { reason: MillraceError; signal: AbortSignal },
  ): Promise<void> {
    const at = this.#options.clock.now();
    await this.#transit((document) => park(document, { mappingVersion, at }), signal, progress);
    this.#options.observer.slicesParked(progress, { mappingVersion, reason: reason.message });
  }

  async #unparkFitting(progress: SinkProgress, signal: AbortSignal): Promise<SinkProgress> {
    let after = progress;
    for (const version of new Set(progress.parked.map((slice) => slice.mappingVersion))) {
      const mapping = await mappingOf(this.#options.catalog, { incarnation: this.#incarnation, version }, { signal });
      if ((await checkTable(this.#options.tables, mapping, { signal })) !== undefined) continue;
      after = await this.#transit((document) => unpark(document, version), signal, after);
    }
    return after;
  }

  /** The reason for which the first parked slice does not go on. */
  async #misfit(progress: SinkProgress, signal: AbortSignal): Promise<MillraceError> {
    const version = progress.parked[0]?.mappingVersion ?? 0;
    const mapping = await mappingOf(this.#options.catalog, { incarnation: this.#incarnation, version }, { signal });
    const misfit = await checkTable(this.#options.tables, mapping, { signal });
    return (
      misfit ??
      new MillraceError(
        'table.schemaMismatch',
        `slices of mapping version ${version} were parked; they are tried again`,
      )
    );
  }

  /** Drops what could not be imported for seven days; a running import is given up first. */
  async #giveUpOld(signal: AbortSignal): Promise<void> {
    const below = this.#options.clock.now() - limits.stagedAgeMs;
    const isOld = (slice: StagedSlice): boolean => slice.stagedAt < below;
    let progress = (await this.#read(signal))?.value;
    if (progress?.importing?.slices.some(isOld) === true) {
      await giveImportUp(this.#options, progress, { signal });
      progress = (await this.#read(signal))?.value;
    }
    for (const slice of [...(progress?.staged ?? []), ...(progress?.parked ?? [])].filter(isOld)) {
      const after = await transit(this.#options.catalog, this.#incarnation, {
        transition: (document) => giveUp(document, slice.id),
        signal,
      });
      if (after?.applied === true) this.#options.observer.sliceGivenUp(after.value, slice);
    }
  }

  async #transit(transition: Transition, signal: AbortSignal, otherwise: SinkProgress): Promise<SinkProgress> {
    return (await transit(this.#options.catalog, this.#incarnation, { transition, signal }))?.value ?? otherwise;
  }

  async #failed(error: MillraceError, signal: AbortSignal): Promise<void> {
    const { clock, status, retry, random } = this.#options;
    const delay = backoffMs(status.attempts(this.#incarnation) + 1, retry, random());
    this.#retryAt = clock.monotonic() + delay;
    status.report(this.#incarnation, error, delay);
    if (!hopeless.includes(error.code)) return;
    try {
      await this.#giveUpOld(signal);
    } catch {
      // It is tried again after the next failure.
    }
  }
}
