import type { Clock } from '../core/clock.ts';
import type { Incarnation, SinkKey, SourceKey } from '../core/ids.ts';
import { conserveAll, differencesOf } from '../core/progress/conservation.ts';
import { holesOf } from '../core/progress/holes.ts';
import { compareWithLedger } from '../core/progress/ledger-witness.ts';
import type { LedgerPosition, LoadedCounts } from '../core/progress/ledger.ts';
import type { Source } from '../core/source.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { EventLog, PartitionRange } from '../ports/event-log.ts';
import type { TableStore } from '../ports/table-store.ts';
import type { Configuration } from '../stages/replica/configuration.ts';
import { logForgotten, logMeasured, sinkForgotten, sinkMeasured } from '../telemetry/sink-gauges.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { LagClock } from './lag-clock.ts';

export interface SinkGaugesOptions {
  readonly configuration: Configuration;
  readonly sourceLog: EventLog;
  readonly tables: Pick<TableStore, 'readLedgers'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Keeps the gauges of lag, staged rows, log bytes and conservation; alarms on a difference (D4). */
export class SinkGauges {
  readonly #options: SinkGaugesOptions;
  readonly #logs = new Map<string, SourceKey>();
  readonly #lags = new Map<Incarnation, { readonly key: SinkKey; readonly clock: LagClock }>();

  /** What was found when document and ledger last met; an import moves one before the other. */
  readonly #ledgers = new Map<Incarnation, LoadedCounts>();

  constructor(options: SinkGaugesOptions) {
    this.#options = options;
  }

  /** Looks at every source and every sink once. */
  async measure({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { configuration } = this.#options;
    const ranges = new Map<string, readonly PartitionRange[]>();
    const failures: unknown[] = [];
    const gone = new Map(this.#logs);
    for (const { value } of configuration.sources.values()) {
      const found = await this.#rangesOf(value, signal).catch((thrown: unknown) => {
        failures.push(thrown);
        gone.delete(nameOf(value));
      });
      if (found === undefined) continue;
      ranges.set(value.topic, found);
      gone.delete(nameOf(value));
      this.#measureLog(value, found);
    }
    for (const [name, key] of gone) {
      this.#logs.delete(name);
      logForgotten(this.#options.telemetry, key);
    }
    this.#forgetSinks();
    // The documents first: a ledger that was read after a document stands where that one says, or has gone on.
    const documents = [...configuration.progress.values()].map(({ value }) => value);
    const rows = await this.#readLedgers(documents, signal).catch((thrown: unknown) => void failures.push(thrown));
    for (const document of documents) {
      const found = ranges.get(document.topics.source);
      const row = rows?.get(document.incarnation);
      if (found !== undefined) this.#measure(document, { ranges: found, ledger: this.#compare(document, row) });
    }
    // A source whose topic cannot be read keeps its own gauges only; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
  }

  /** Undefined for a deleted source whose topic is gone, too. */
  async #rangesOf({ deleted, topic }: Source, signal: AbortSignal): Promise<readonly PartitionRange[] | undefined> {
    const { sourceLog } = this.#options;
    if (deleted !== undefined && (await sourceLog.describeTopic(topic, { signal })) === undefined) return undefined;
    return sourceLog.ranges(topic, { signal });
  }

  #measureLog(source: Source, ranges: readonly PartitionRange[]): void {
    const key: SourceKey = { branchId: source.branchId, sourceId: source.sourceId };
    this.#logs.set(nameOf(key), key);
    const bytes = ranges.reduce((sum, range) => sum + range.bytes, 0);
    logMeasured(this.#options.telemetry, key, bytes);
  }

  /** Before the measuring: a sink that was made anew has the labels of the one that is gone. */
  #forgetSinks(): void {
    const { configuration, telemetry } = this.#options;
    for (const [incarnation, { key }] of this.#lags) {
      if (configuration.progressOf(incarnation) !== undefined) continue;
      this.#lags.delete(incarnation);
      this.#ledgers.delete(incarnation);
      sinkForgotten(telemetry, key);
    }
  }

  /** All of them in one query. */
  async #readLedgers(
    documents: readonly SinkProgress[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Incarnation, LedgerPosition>> {
    const incarnations = documents.map(({ incarnation }) => incarnation);
    return incarnations.length === 0 ? new Map() : this.#options.tables.readLedgers(incarnations, { signal });
  }

  #compare(document: SinkProgress, row: LedgerPosition | undefined): LoadedCounts | undefined {
    const { incarnation } = document;
    const compared = compareWithLedger(document, row);
    if (compared.kind === 'compared') this.#ledgers.set(incarnation, compared.difference);
    else if (compared.kind === 'unknown') this.#ledgers.delete(incarnation);
    return this.#ledgers.get(incarnation);
  }

  #measure(
    progress: SinkProgress,
    { ranges, ledger }: { readonly ranges: readonly PartitionRange[]; readonly ledger: LoadedCounts | undefined },
  ): void {
    const { clock, telemetry } = this.#options;
    const ends = new Map(ranges.map(({ durableEnd }, partition) => [partition, durableEnd]));
    const acknowledged = new Map(
      ranges.flatMap(({ acknowledged: count }, partition) => (count === undefined ? [] : [[partition, count]])),
    );
    const counts = conserveAll(progress, ends, acknowledged);
    const sum = (pick: (one: (typeof counts)[number]) => number): number =>
      counts.reduce((total, one) => total + pick(one), 0);
    const staged = sum((one) => one.staged);
    const accepted = sum((one) => one.accepted);
    const lagEvents = sum((one) => one.inFlight) + staged;
    const lag = this.#lags.get(progress.incarnation) ?? { key: progress.key, clock: new LagClock() };
    this.#lags.set(progress.incarnation, lag);
    const lagSeconds = lag.clock.measure({ accepted, done: accepted - lagEvents, now: clock.monotonic() }) / 1000;
    sinkMeasured(telemetry, progress.key, {
      lagEvents,
      lagSeconds,
      stagedRows: staged,
      differences: differencesOf(counts, ledger),
      holes: holesOf(progress),
    });
  }
}

function nameOf({ branchId, sourceId }: SourceKey): string {
  return `${branchId}/${sourceId}`;
}
