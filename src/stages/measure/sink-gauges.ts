import type { Clock } from '../../core/clock.ts';
import type { Incarnation, SourceKey } from '../../core/ids.ts';
import { compareWithLedger } from '../../core/accounts/ledger-witness.ts';
import { standingOf, type SinkStanding } from '../../core/accounts/rank-sinks.ts';
import { measureSink } from '../../core/accounts/sink-measure.ts';
import type { LedgerPosition, LoadedCounts } from '../../core/progress/ledger.ts';
import type { Source } from '../../core/source.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { freshnessTargetMs } from '../../core/freshness.ts';
import { endsOf, endsOfGone } from '../../core/progress/source-ends.ts';
import type { EventLog, PartitionRange } from '../../ports/event-log.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';
import type { Configuration } from '../replica/configuration.ts';
import {
  allMeasured,
  LogSeries,
  SinkSeries,
  type MeasuredLog,
  type MeasuredSink,
} from '../../telemetry/sink-gauges.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { LagClock } from '../../core/accounts/lag-clock.ts';

export interface SinkGaugesOptions {
  readonly configuration: Configuration;
  readonly sourceLog: EventLog;
  readonly ledger: Pick<ImportLedger, 'readLedgers'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What is known of an incarnation of a sink: it stays while its topic cannot be read. */
interface Measured extends MeasuredSink {
  readonly clock: LagClock;
  readonly standing: SinkStanding;
}

/** What the last look at all sinks has found. */
export interface Standings {
  /** When it came to its end, milliseconds since the epoch. */
  readonly at: number;
  /** Of each incarnation, in no order. */
  readonly sinks: readonly SinkStanding[];
}

/** Ranges by topic: none of a topic that is gone, and nothing at all of one that cannot be read now. */
type Ranges = Map<string, readonly PartitionRange[]>;

/** Keeps the gauges of lag, staged rows, log bytes and conservation; alarms on a difference (D4). */
export class SinkGauges {
  readonly #options: SinkGaugesOptions;
  readonly #logs = new Map<string, MeasuredLog>();
  readonly #sinks = new Map<Incarnation, Measured>();
  readonly #series: SinkSeries;
  readonly #logSeries: LogSeries;

  /** What was found when document and ledger last met; an import moves one before the other. */
  readonly #ledgers = new Map<Incarnation, LoadedCounts>();
  #standings: Standings | undefined;

  constructor(options: SinkGaugesOptions) {
    this.#options = options;
    this.#series = new SinkSeries(options.telemetry);
    this.#logSeries = new LogSeries(options.telemetry);
  }

  /** Undefined before the first look. */
  get standings(): Standings | undefined {
    return this.#standings;
  }

  /** Looks at every source and every sink once. */
  async measure({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { configuration } = this.#options;
    const failures: unknown[] = [];
    const ranges = await this.#measureLogs(failures, signal);
    // The documents first: a ledger that is read after a document stands where the document says, or has moved on.
    const documents = [...configuration.progress.values()].map(({ value }) => value);
    const rows = await this.#readLedgers(documents, signal).catch((thrown: unknown) => void failures.push(thrown));
    for (const document of documents) {
      const found = ranges.get(document.topics.source);
      const row = rows?.get(document.incarnation);
      if (found !== undefined) this.#measure(document, { ranges: found, ledger: this.#compare(document, row) });
    }
    this.#tell();
    const at = this.#options.clock.now();
    this.#standings = { at, sinks: [...this.#sinks.values()].map(({ standing }) => standing) };
    allMeasured(this.#options.telemetry, at);
    // A source whose topic cannot be read keeps its own gauges only; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
  }

  /** Looks at the topics of all sources, and at those of earlier existences that sinks still take from. */
  async #measureLogs(failures: unknown[], signal: AbortSignal): Promise<Ranges> {
    const { configuration } = this.#options;
    const ranges: Ranges = new Map();
    const gone = new Map(this.#logs);
    for (const { value } of configuration.sources.values()) {
      const found = await this.#rangesOf(value, signal).catch((thrown: unknown) => {
        failures.push(thrown);
        gone.delete(nameOf(value));
      });
      if (found === undefined) continue;
      ranges.set(value.topic, found);
      if (found.length === 0) continue;
      gone.delete(nameOf(value));
      this.#measureLog(value, found);
    }
    for (const name of gone.keys()) this.#logs.delete(name);
    this.#logSeries.tell([...this.#logs.values()]);
    const current = new Set([...configuration.sources.values()].map(({ value }) => value.topic));
    const taken = new Set([...configuration.progress.values()].map(({ value }) => value.topics.source));
    for (const topic of taken) {
      if (current.has(topic)) continue;
      const found = await this.#rangesIfThere(topic, signal).catch((thrown: unknown) => void failures.push(thrown));
      if (found !== undefined) ranges.set(topic, found);
    }
    return ranges;
  }

  /** None for a deleted source whose topic is gone, too. */
  #rangesOf({ deleted, topic }: Source, signal: AbortSignal): Promise<readonly PartitionRange[]> {
    return deleted === undefined
      ? this.#options.sourceLog.ranges(topic, { signal })
      : this.#rangesIfThere(topic, signal);
  }

  async #rangesIfThere(topic: string, signal: AbortSignal): Promise<readonly PartitionRange[]> {
    const { sourceLog } = this.#options;
    return (await sourceLog.describeTopic(topic, { signal })) === undefined ? [] : sourceLog.ranges(topic, { signal });
  }

  #measureLog(source: Source, ranges: readonly PartitionRange[]): void {
    const key: SourceKey = { branchId: source.branchId, sourceId: source.sourceId };
    this.#logs.set(nameOf(key), { key, bytes: ranges.reduce((sum, range) => sum + range.bytes, 0) });
  }

  #tell(): void {
    const { configuration } = this.#options;
    for (const incarnation of this.#sinks.keys()) {
      if (configuration.progressOf(incarnation) !== undefined) continue;
      this.#sinks.delete(incarnation);
      this.#ledgers.delete(incarnation);
    }
    this.#series.tell([...this.#sinks.values()]);
  }

  /** All of them in one query. */
  async #readLedgers(
    documents: readonly SinkProgress[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Incarnation, LedgerPosition>> {
    const incarnations = documents.map(({ incarnation }) => incarnation);
    return incarnations.length === 0 ? new Map() : this.#options.ledger.readLedgers(incarnations, { signal });
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
    const { clock, configuration } = this.#options;
    const { incarnation, key } = progress;
    const lag = this.#sinks.get(incarnation)?.clock ?? new LagClock();
    const ends = ranges.length === 0 ? { durable: endsOfGone(progress) } : endsOf(ranges);
    const measure = measureSink(progress, {
      ends,
      ledger,
      lag,
      now: clock.monotonic(),
      wall: clock.now(),
      targetMs: freshnessTargetMs(configuration.settingsOf(key)),
    });
    const dead = Object.values(progress.totals).reduce((sum, totals) => sum + totals.dead, 0);
    this.#sinks.set(incarnation, { key, clock: lag, measure, standing: standingOf(key, measure, dead) });
  }
}

function nameOf({ branchId, sourceId }: SourceKey): string {
  return `${branchId}/${sourceId}`;
}
