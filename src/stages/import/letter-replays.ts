import { isDeepStrictEqual } from 'node:util';
import { failureKind } from '../../core/progress/failure-kind.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Mapping } from '../../core/mapping.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { decidedVerdict } from '../../core/progress/ledger.ts';
import { endReplay, mostAbandoned, passLetters } from '../../core/progress/replay-order.ts';
import { abandonReplay, finishReplay, replayedCounts, startReplay } from '../../core/progress/replay.ts';
import type { Replay, RunningReplay, SinkProgress, StagedObject } from '../../core/progress/sink-progress.ts';
import { shortened } from '../../core/shortened.ts';
import { filteredLetters } from '../../mapping/filtered-letters.ts';
import type { RemappedLetters } from '../../mapping/remap-letters.ts';
import type { DeadLetterCells } from '../../core/dead-letter.ts';
import { importedCounts } from '../../core/progress/statistics.ts';
import type { DeadLetters } from '../../ports/dead-letters.ts';
import type { LedgerRow } from '../../ports/import-ledger.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import { replayNote } from '../../core/import-note.ts';
import type { ImportHistory } from './import-history.ts';
import { letterBatch } from './letter-batch.ts';
import { csvContent, importPlaced, mappingOf, type ImportPorts } from './run-import.ts';
import type { ImportRights } from './import-rights.ts';
import type { SinkDocument } from './sink-document.ts';
import type { SliceFaults } from './slice-faults.ts';

/** Maps dead letters beside the main thread, with the limits of templates. */
export interface Remapper {
  /** Of the first letters, as many as there is time for. `trial.tooLong` when one letter takes too long. */
  remap(mapping: Mapping, letters: readonly DeadLetterCells[], options: Waiting): Promise<RemappedLetters>;
}

export interface LetterReplaysOptions extends ImportPorts {
  readonly incarnation: Incarnation;
  readonly document: SinkDocument;
  readonly letters: DeadLetters;
  readonly remapper: Remapper;
  readonly rights: ImportRights;
  readonly faults: SliceFaults;
  readonly unique: () => string;
  readonly history: Pick<ImportHistory, 'note'>;
  readonly observer: Pick<ImportObserver, 'lettersReplayed' | 'lettersPassed' | 'replayEnded'>;
}

const messageLength = 500;

/** Replays dead letters of one incarnation, a batch after the other. All that it knows is in the document. */
export class LetterReplays {
  readonly #options: LetterReplaysOptions;

  constructor(options: LetterReplaysOptions) {
    this.#options = options;
  }

  /** Brings the batch that runs to its end, by the ledger; answers the document as it stands then. */
  async finish(progress: SinkProgress, { signal }: Waiting): Promise<SinkProgress> {
    const { replaying: running } = progress;
    if (running === undefined) return progress;
    let failure: MillraceError | undefined;
    let verdict: LedgerRow['verdict'];
    try {
      verdict = await this.#load(progress, running, { signal });
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown);
      const now = await this.#read(progress, { signal });
      if (!isDeepStrictEqual(now.replaying, running)) return now;
      if (!(await this.#isGivenUp(now, running, { error, signal }))) throw thrown;
      const { number, id } = running;
      verdict = await this.#options.ledger.abandon(progress.incarnation, { number, id }, { signal });
      failure = error;
    }
    const after = await this.#follow(progress, running, { verdict, signal });
    if (failure === undefined || verdict === 'loaded') return after;
    const isLasting = failure.code !== 'table.lettersGone' || (after.replay?.abandoned ?? 0) >= mostAbandoned;
    return isLasting ? this.#end(after, running.replayId, { failure, signal }) : after;
  }

  /** Begins the next batch of a replay that runs, and brings it to its end. */
  async next(progress: SinkProgress, { signal }: Waiting): Promise<SinkProgress> {
    const { replay, deleted, replaying, importing } = progress;
    if (replay?.state !== 'running' || replaying !== undefined || importing !== undefined) return progress;
    if (deleted) {
      const failure = new MillraceError('sink.deleted', 'the sink was deleted: its dead letters stay as they are');
      return this.#end(progress, replay.id, { failure, signal });
    }
    const letters = await this.#lettersOf(progress, replay, { signal });
    if (letters.length === 0) return this.#end(progress, replay.id, { signal });
    const { incarnation, mappingVersion: version } = progress;
    const mapping = await mappingOf(this.#options.catalog, { incarnation, version }, { signal });
    let remapped: RemappedLetters;
    try {
      remapped = await this.#options.remapper.remap(mapping, letters, { signal });
    } catch (thrown) {
      signal.throwIfAborted();
      const failure = MillraceError.fromUnknown(thrown);
      // The process that is started in the place of this one goes on; until then the sink tells why it does not.
      if (failure.code === 'thread.otherBuild') throw failure;
      return this.#end(progress, replay.id, { failure, signal });
    }
    return this.#take(progress, { replay, letters, remapped }, { signal });
  }

  async #lettersOf(
    { incarnation }: SinkProgress,
    { filter, limit, after, counts }: Replay,
    options: Waiting,
  ): Promise<readonly DeadLetterCells[]> {
    const most = Math.min(limits.replayLetters, (limit ?? Number.POSITIVE_INFINITY) - counts.seen);
    if (most <= 0) return [];
    const place = after === undefined ? {} : { after };
    const query = { incarnation, where: filteredLetters(filter), ...place };
    return this.#options.letters.nextLetters({ ...query, limit: most, maxBytes: limits.replayBytes }, options);
  }

  async #take(
    progress: SinkProgress,
    { replay, letters, remapped }: { replay: Replay; letters: readonly DeadLetterCells[]; remapped: RemappedLetters },
    { signal }: Waiting,
  ): Promise<SinkProgress> {
    const { document, unique } = this.#options;
    const from = replay.after;
    const id = unique();
    const batch = letterBatch(progress, { letters, remapped, id, now: this.#options.clock.now() });
    const { passed } = batch;
    if (batch.kind === 'untaken') {
      const after = await document.apply((now) => passLetters(now, { id: replay.id, from, passed }), { signal });
      if (after?.applied === true) this.#options.observer.lettersPassed(after.value, passed);
      return after?.value ?? progress;
    }
    for (const { object, bytes } of batch.contents)
      await this.#options.objects.put(object.name, { kind: 'bytes', bytes }, { signal });
    const change = { ...batch.change, id, replayId: replay.id, from, passed };
    const started = await document.apply((now) => startReplay(now, change), { signal });
    if (started === undefined) return progress;
    if (started.applied) return this.finish(started.value, { signal });
    const { outdated, code, reason } = started.refusal;
    if (outdated || code !== undefined) return started.value;
    const { value } = started;
    // Somebody is faster, or has stopped it.
    if (value.importing !== undefined || value.replaying !== undefined || value.replay?.state !== 'running')
      return value;
    const failure = new MillraceError(
      'table.invalidContent',
      `${reason}: their table holds letters that nobody loaded`,
    );
    return this.#end(value, replay.id, { failure, signal });
  }

  async #load(progress: SinkProgress, running: RunningReplay, options: Waiting): Promise<LedgerRow['verdict']> {
    const { catalog, ledger, rights } = this.#options;
    const { incarnation } = progress;
    const { number, id, mappingVersion: version, rowsObject, lettersObject } = running;
    const verdict = decidedVerdict(incarnation, await ledger.readLedger(incarnation, options), { number, id });
    if (verdict !== undefined) return verdict;
    const mapping = await mappingOf(catalog, { incarnation, version }, options);
    await rights.check(progress, mapping.tableId, options);
    const { rows, dead } = replayedCounts(running);
    const content = (object: StagedObject) => csvContent(this.#options.objects, object, options);
    const request = {
      incarnation,
      number,
      id,
      tableId: mapping.tableId,
      columns: mapping.columns.map(({ name }) => name),
      rows: rowsObject === undefined ? [] : [await content(rowsObject)],
      dead: [],
      expected: { rows, dead: 0 },
      replaced: { letters: [await content(lettersObject)], expected: -dead },
      before: importedCounts(progress),
    };
    return importPlaced(this.#options, { progress, mapping, request }, options);
  }

  /** What fails for its table or its content is not tried again as it is, nor what somebody has stopped. */
  async #isGivenUp(
    { replay }: SinkProgress,
    running: RunningReplay,
    { error, signal }: Waiting & { readonly error: MillraceError },
  ): Promise<boolean> {
    if (error.code === 'table.lettersGone' || replay?.id !== running.replayId || replay.state !== 'running')
      return true;
    const kind = failureKind(error.code);
    if (kind === 'misfit' || kind === 'rights') return true;
    return this.#options.faults.isOfOne({ ...running, slices: [] }, error, { signal });
  }

  async #follow(
    progress: SinkProgress,
    running: RunningReplay,
    { verdict, signal }: Waiting & { readonly verdict: LedgerRow['verdict'] },
  ): Promise<SinkProgress> {
    const { clock, history } = this.#options;
    history.note(replayNote(progress, running, { verdict, at: clock.now() }));
    const transition = verdict === 'loaded' ? finishReplay : abandonReplay;
    const after = await this.#options.document.apply((now) => transition(now, running), { signal });
    if (after?.applied === true) this.#options.observer.lettersReplayed(after.value, { running, verdict });
    return after?.value ?? progress;
  }

  async #end(
    progress: SinkProgress,
    id: string,
    { failure: error, signal }: Waiting & { readonly failure?: MillraceError },
  ): Promise<SinkProgress> {
    const at = this.#options.clock.now();
    const failure = error && { code: error.code, message: shortened(error.message, messageLength) };
    const end = { id, at, ...(failure === undefined ? {} : { failure }) };
    const after = await this.#options.document.apply((now) => endReplay(now, end), { signal });
    if (after?.applied === true) this.#options.observer.replayEnded(after.value);
    return after?.value ?? progress;
  }

  async #read(otherwise: SinkProgress, options: Waiting): Promise<SinkProgress> {
    return (await this.#options.document.read(options))?.value ?? otherwise;
  }
}
