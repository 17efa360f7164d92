import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { outcomeEpoch } from '../../core/outcome.ts';
import { isTornSince } from '../../core/progress/resume.ts';
import { entryOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { KafkaValueFormat } from '../../core/settings/millrace-settings.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog, IdentifiedPartition, NewRecord, RecordBatch } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { CompiledMapping } from '../../mapping/compile-mapping.ts';
import type { Configuration } from '../replica/configuration.ts';
import type { FailingPlace, StatusBoard } from '../status/status-board.ts';
import type { LineWriter } from '../../mapping/line-writer.ts';
import type { AppendRoom } from './append-room.ts';
import { awaitSource } from './await-source.ts';
import { BatchContexts } from './batch-contexts.ts';
import { BatchEvents } from './batch-events.ts';
import { checkHeld } from './check-held.ts';
import { EpochEnds } from './epoch-ends.ts';
import {
  mapBatch,
  outcomeOverheadBytes,
  runsOnTopBytes,
  type MapBatch,
  type Mapped,
  type MappedBatch,
} from './map-batch.ts';
import type { MapObserver } from '../../telemetry/observe-map.ts';
import { totalsOf, type OutcomeTotals } from '../../telemetry/outcome-totals.ts';
import type { Spans } from '../../telemetry/spans.ts';
import type { MappingCache } from './mapping-cache.ts';
import { outcomeRecords } from './outcome-records.ts';
import { PartitionDecoding } from './partition-decoding.ts';
import { PortionSpans } from './portion-spans.ts';
import { ReadingTurns, type Turn } from './reading-turns.ts';
import { checkSource, resume } from './resume.ts';
import type { SchemaCache } from './schema-cache.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import { SinkCursor } from './sink-cursor.ts';
import { SinkTurns } from './sink-turns.ts';

export interface PartitionMapperOptions {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly mappings: MappingCache;
  readonly schemas: SchemaCache;
  readonly configuration: Pick<Configuration, 'settingsOf' | 'sourceOf' | 'learnSource'>;
  readonly status: StatusBoard;
  readonly observer: MapObserver;
  /** Absent: traces are off. */
  readonly spans?: Spans | undefined;
  readonly clock: Clock;
  readonly retry: RetryPacing;
  /** The most bytes that one append to a topic of a sink takes, as far as is known. */
  readonly maxAppendBytes: number;
  /** Shared by the partitions of one process, which are processed one after the other. */
  readonly lines: LineWriter;
  readonly room: AppendRoom;
  /** Called when a cursor became ready, so that the loop looks again. */
  readonly wake: () => void;
  readonly signal: AbortSignal;
}

const slowAppendMs = 1000;

/** A sink whose templates take longer for a batch goes on in turns with the others. */
const mappingMs = 100;

/** An append is not made larger than this when there is more than one outcome in it. */
const enoughBytes = 4 * 1024 ** 2;

interface Portion extends Required<Pick<MapBatch, 'isDue'>> {
  readonly batch: RecordBatch;
  readonly events: BatchEvents;
  readonly spans: PortionSpans | undefined;
}

/** A batch that is mapped for one sink after the other. */
interface MappedFor {
  readonly batch: RecordBatch;
  readonly events: BatchEvents;
  readonly contexts: BatchContexts | undefined;
}

/** What an append has besides what was made for it. */
interface Appended {
  readonly epoch: number | undefined;
  readonly spans: PortionSpans | undefined;
}

/** What is kept of a portion until it is durable. */
interface Appending extends Pick<Appended, 'spans'> {
  readonly records: readonly NewRecord[];
  readonly totals: OutcomeTotals;
  /** What the outcomes take in the log, at most. */
  readonly bytes: number;
}

/**
 * Maps one source partition, of one existence of its topic, for all of its sinks: a sink whose document speaks of
 * another existence is set aside with an alarm, and looks again. Each sink has a position of its own. A sink that lags,
 * because it is new or was set aside, takes turns with those at the head and never holds them up.
 */
export class PartitionMapper {
  readonly at: IdentifiedPartition;
  readonly #options: PartitionMapperOptions;
  readonly #cursors = new Map<Incarnation, SinkCursor>();
  /** Look-ups and appends that are under way, also of sinks that were forgotten. */
  readonly #works = new Set<Promise<void>>();
  readonly #decoding: PartitionDecoding;
  readonly #turns = new ReadingTurns();
  readonly #sinkTurns = new SinkTurns<SinkCursor>();

  constructor(at: IdentifiedPartition, options: PartitionMapperOptions) {
    this.at = at;
    this.#options = options;
    this.#decoding = new PartitionDecoding(options.schemas);
  }

  /** Takes over the sinks' documents as they are now; new sinks are resumed, gone ones forgotten. */
  configure(sinks: readonly SinkProgress[]): void {
    const wanted = new Map(sinks.map((progress) => [progress.incarnation, progress]));
    for (const incarnation of this.#cursors.keys()) if (!wanted.has(incarnation)) this.#forget(incarnation);
    for (const [incarnation, progress] of wanted) {
      const cursor = this.#cursors.get(incarnation);
      if (cursor === undefined) this.#add(new SinkCursor(progress, this.at.partition));
      else this.#update(cursor, progress);
    }
  }

  /** The partition is not this process's business any more. */
  leave(): void {
    for (const incarnation of this.#cursors.keys()) this.#forget(incarnation);
  }

  #forget(incarnation: Incarnation): void {
    this.#cursors.delete(incarnation);
    this.#options.status.clear(this.#placeOf(incarnation));
  }

  #placeOf(incarnation: Incarnation): FailingPlace {
    return { incarnation, partition: this.at.partition };
  }

  /** Resumes what was set aside and is due; answers the next such time on the monotonic clock. */
  retryDue(now: number): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const cursor of this.#cursors.values()) {
      if (cursor.state.kind !== 'aside') continue;
      if (cursor.state.retryAt <= now) this.#begin(this.#resume(cursor));
      else earliest = Math.min(earliest, cursor.state.retryAt);
    }
    return earliest;
  }

  /** The topics of the sinks that it maps for. */
  get sinkTopics(): readonly string[] {
    return [...this.#cursors.values()]
      .filter(({ state }) => state.kind === 'active')
      .map(({ progress }) => progress.topics.sink);
  }

  /** The log does not have these topics: their sinks are resumed again, which reports it until the topics are there. */
  missing(topics: ReadonlySet<string>): void {
    for (const cursor of this.#cursors.values())
      if (cursor.state.kind === 'active' && topics.has(cursor.progress.topics.sink)) this.#begin(this.#resume(cursor));
  }

  /** Where to read now; undefined while no sink wants anything. `now` is monotonic. */
  turn(now: number): Turn | undefined {
    const wanted = [...this.#cursors.values()]
      .filter(({ state }) => state.kind === 'active')
      .map((cursor) => cursor.wanted)
      .filter((offset) => offset !== undefined);
    if (wanted.length === 0) return undefined;
    const low = wanted.reduce((a, b) => Math.min(a, b));
    const head = wanted.reduce((a, b) => Math.max(a, b));
    return this.#turns.take({ low, head, now });
  }

  /** The lowest position of all sinks, for lag; undefined while there is none. */
  get lowest(): Offset | undefined {
    const positions = [...this.#cursors.values()]
      .map((cursor) => cursor.wanted)
      .filter((offset) => offset !== undefined);
    return positions.length === 0 ? undefined : positions.reduce((a, b) => Math.min(a, b));
  }

  /** The mappings that its sinks use now. */
  get mappings(): readonly CompiledMapping[] {
    return [...this.#cursors.values()].flatMap(({ compiled }) => (compiled === undefined ? [] : [compiled]));
  }

  /** Maps a batch that was read at `from` for every sink that stands in it. */
  async process(from: Offset, batch: RecordBatch): Promise<void> {
    this.#turns.served();
    if (batch.failure !== undefined) {
      this.#refuse(from, batch.failure);
      return;
    }
    this.#compareEpochs(from, batch);
    const standing = this.#standing(from, batch);
    const [first] = standing;
    if (first === undefined) return;
    const { type = 'http' } = this.#options.configuration.sourceOf(first.progress.key) ?? {};
    const decode = this.#decoding.of(batch, this.#formatOf(first), type);
    if (decode === undefined) {
      for (const cursor of standing) cursor.state = { kind: 'lacking' };
      this.#begin(this.#learn(standing));
      return;
    }
    const { lines, spans } = this.#options;
    const events = new BatchEvents(batch, { lines, decode, isShared: standing.length > 1 });
    const contexts = spans && new BatchContexts(spans, batch.records);
    for (const cursor of this.#sinkTurns.of(standing)) {
      if (!standsIn(cursor, from, batch)) continue;
      try {
        checkSource(cursor.progress, batch);
        await this.#processFor(cursor, { batch, events, contexts });
      } catch (thrown) {
        this.#setAside(cursor, MillraceError.fromUnknown(thrown));
      }
    }
  }

  #standing(from: Offset, batch: RecordBatch): readonly SinkCursor[] {
    return [...this.#cursors.values()].filter((cursor) => standsIn(cursor, from, batch));
  }

  /**
   * The partition has another leader than when some sinks were last mapped. First it is looked up whether its log
   * continues what they were mapped from.
   */
  #compareEpochs(from: Offset, batch: RecordBatch): void {
    const ends = new EpochEnds(this.#options.sourceLog, this.at);
    for (const cursor of this.#standing(from, batch)) {
      if (!cursor.mustCompare(batch.epoch)) continue;
      cursor.state = { kind: 'comparing' };
      this.#begin(this.#compare(cursor, ends, batch));
    }
  }

  /** Lets the cursor read on once it is known that the log still has all that was read for it; never rejects. */
  async #compare(cursor: SinkCursor, ends: EpochEnds, batch: RecordBatch): Promise<void> {
    const { catalog, signal, wake } = this.#options;
    const { progress, partition, position, epoch } = cursor;
    if (epoch === undefined) return;
    try {
      const found = await ends.of(epoch, { signal });
      await checkHeld(catalog, { progress, partition, place: { position, epoch }, found }, { signal });
      if (cursor.state.kind !== 'comparing') return;
      if (cursor.position === position) cursor.agreedEpoch = batch.epoch;
      cursor.state = { kind: 'active' };
      wake();
    } catch (thrown) {
      if (cursor.state.kind === 'comparing') this.#setAside(cursor, MillraceError.fromUnknown(thrown));
    }
  }

  #formatOf({ progress }: SinkCursor): KafkaValueFormat {
    return this.#options.configuration.settingsOf(progress.key).kafkaValueFormat;
  }

  /** Gets the schemas that are lacking; the cursors read on when they are there. Never rejects. */
  async #learn(cursors: readonly SinkCursor[]): Promise<void> {
    const waiting = (): readonly SinkCursor[] => cursors.filter(({ state }) => state.kind === 'lacking');
    try {
      for (const cursor of cursors.slice(0, 1)) await this.#decoding.learn(this.#formatOf(cursor), this.#options);
      for (const cursor of waiting()) cursor.state = { kind: 'active' };
      this.#options.wake();
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown, 'schemas.unavailable');
      for (const cursor of waiting()) this.#setAside(cursor, error);
    }
  }

  /** The source cannot be read where these sinks stand: each says so, and tries again. */
  #refuse(at: Offset, error: MillraceError): void {
    for (const cursor of this.#cursors.values()) {
      if (cursor.state.kind === 'active' && cursor.wanted === at) this.#setAside(cursor, error);
    }
  }

  /** Resolves when no append is under way. */
  async settled(): Promise<void> {
    await Promise.all(
      [...this.#cursors.values()].flatMap(({ appending }) => (appending === undefined ? [] : [appending])),
    );
  }

  /** Resolves when nothing is under way at all, neither of a sink that was forgotten. */
  async ended(): Promise<void> {
    await Promise.all(this.#works);
  }

  /** Appends what the batch makes for a sink, in as many portions as it takes, until the sink's time is over. */
  async #processFor(cursor: SinkCursor, { batch, events, contexts }: MappedFor): Promise<void> {
    const { clock, spans: wanted } = this.#options;
    let isLeft = true;
    let leftMs = mappingMs;
    while (isLeft && leftMs > 0) {
      const { position: before } = cursor;
      const began = clock.monotonic();
      const until = began + leftMs;
      const spans = wanted && contexts && new PortionSpans(wanted, contexts, clock);
      const made = this.#map(cursor, { batch, events, spans, isDue: () => clock.monotonic() >= until });
      leftMs -= clock.monotonic() - began;
      if (leftMs <= 0) this.#sinkTurns.usedUp(mappingMs - leftMs);
      if (made === undefined || made.outcomes.length === 0) return;
      const isStill = (): boolean => cursor.position === before && cursor.state.kind === 'active';
      if (!(await this.#isFree(cursor)) || !isStill()) return;
      await this.#options.room.enter(made.bytes, this.#options);
      if (!isStill()) {
        this.#options.room.leave(made.bytes);
        return;
      }
      this.#beginAppend(cursor, made, { epoch: batch.epoch, spans });
      isLeft = cursor.wanted !== undefined && cursor.wanted < batch.next;
    }
  }

  #map(cursor: SinkCursor, { batch, events, spans, isDue }: Portion): MappedBatch | undefined {
    const { compiled, progress, position, intervals } = cursor;
    if (compiled === undefined) return undefined;
    const mostBytes = this.#mostBytesOf(cursor);
    const sink = { progress, compiled, maxLineBytes: mostBytes - outcomeOverheadBytes };
    const noted = (index: number, mapped: Mapped): Mapped => {
      spans?.note(index, events.offsets[index] ?? 0, mapped);
      return mapped;
    };
    events.forgetLines();
    return mapBatch({
      intervals,
      position,
      mappingVersion: compiled.mapping.version,
      first: batch.first,
      offsets: events.offsets,
      next: batch.next,
      missing: batch.missing,
      mostBytes,
      enoughBytes: Math.min(mostBytes, enoughBytes),
      isDue,
      map: spans === undefined ? (index) => events.map(index, sink) : (index) => noted(index, events.map(index, sink)),
    });
  }

  #mostBytesOf(cursor: SinkCursor): number {
    return Math.min(cursor.maxAppendBytes, this.#options.maxAppendBytes) - runsOnTopBytes;
  }

  /** Copies the lines before it returns. */
  #beginAppend(cursor: SinkCursor, made: MappedBatch, { epoch, spans }: Appended): void {
    const of = { key: cursor.progress.key, at: this.at };
    const room = { position: made.position, roomBytes: this.#mostBytesOf(cursor) - made.bytes };
    const traceparentOf = spans?.begin(of, room);
    const records = outcomeRecords(made.outcomes, { timestamp: this.#options.clock.now(), epoch, traceparentOf });
    cursor.stand(made.position, outcomeEpoch(records.at(-1)?.headers ?? []));
    const { bytes } = made;
    const totals = totalsOf(made.outcomes, made.reasons);
    cursor.appending = this.#append(cursor, { records, totals, bytes, spans }).finally(() => {
      cursor.appending = undefined;
      this.#options.room.leave(bytes);
      if (cursor.state.kind !== 'waiting') return;
      cursor.state = { kind: 'active' };
      this.#options.wake();
    });
    this.#begin(cursor.appending);
  }

  /** False when the append before takes so long that the sink is left behind in this round, so that the others go on. */
  async #isFree(cursor: SinkCursor): Promise<boolean> {
    if (cursor.appending !== undefined) {
      const done = new AbortController();
      const signal = AbortSignal.any([done.signal, this.#options.signal]);
      await Promise.race([cursor.appending, this.#options.clock.sleep(slowAppendMs, { signal })]);
      done.abort();
      if (cursor.appending !== undefined && cursor.state.kind === 'active') cursor.state = { kind: 'waiting' };
    }
    return cursor.appending === undefined && cursor.state.kind === 'active';
  }

  /** One append of a sink at a time, so that nothing is reordered; a failure sets the sink aside. Never rejects. */
  async #append(cursor: SinkCursor, { records, totals, bytes, spans }: Appending): Promise<void> {
    const { sinkLog, observer, signal } = this.#options;
    const { topics } = cursor.progress;
    const at = { topic: topics.sink, identity: topics.sinkIdentity, partition: this.at.partition };
    try {
      const offset = await sinkLog.append(at, records, { signal });
      if (offset < cursor.sinkEnd) throw madeAnew(at, { offset, sinkEnd: cursor.sinkEnd });
      cursor.sinkEnd = offset + records.length;
      this.#heal(cursor);
      observer.outcomesAppended(cursor.progress, totals);
      spans?.end();
    } catch (thrown) {
      const error = MillraceError.fromUnknown(thrown, 'log.unavailable');
      spans?.end(error.message);
      if (error.code === 'log.recordTooLarge') cursor.lowerMaxAppendBytes(bytes);
      this.#setAside(cursor, error);
    }
  }

  #add(cursor: SinkCursor): void {
    this.#cursors.set(cursor.incarnation, cursor);
    this.#begin(this.#resume(cursor));
  }

  #begin(work: Promise<void>): void {
    const begun = work.finally(() => this.#works.delete(begun));
    this.#works.add(begun);
  }

  #update(cursor: SinkCursor, progress: SinkProgress): void {
    const isNewMapping = progress.mappingVersion !== cursor.progress.mappingVersion;
    cursor.update(progress);
    // Whoever resumes, or is going to, finds the mapping by itself.
    const isMapped = ['active', 'waiting', 'comparing', 'lacking'].includes(cursor.state.kind);
    if (cursor.isEnded && isMapped) this.#begin(this.#resume(cursor));
    else if (isNewMapping && isMapped) this.#begin(this.#changeMapping(cursor));
  }

  async #changeMapping(cursor: SinkCursor): Promise<void> {
    const { mappings, signal } = this.#options;
    try {
      const compiled = await mappings.load(cursor.progress, { signal });
      if (compiled.mapping.version > (cursor.compiled?.mapping.version ?? 0)) cursor.compiled = compiled;
    } catch (thrown) {
      this.#setAside(cursor, MillraceError.fromUnknown(thrown));
    }
  }

  async #resume(cursor: SinkCursor): Promise<void> {
    const { signal, wake } = this.#options;
    cursor.state = { kind: 'resuming' };
    cursor.sinkEnd = 0;
    try {
      await cursor.appending;
      let isOutdated = true;
      while (isOutdated) isOutdated = await this.#lookUp(cursor, { signal });
      // Else a registry that is away would look healed with every try.
      await this.#decoding.learn(this.#formatOf(cursor), { signal });
      cursor.state = { kind: 'active' };
      this.#heal(cursor);
      wake();
    } catch (thrown) {
      this.#setAside(cursor, MillraceError.fromUnknown(thrown));
    }
  }

  /**
   * Finds mapping and position by the cursor's document; true when what they depend on has changed in the document
   * meanwhile.
   */
  async #lookUp(cursor: SinkCursor, options: Waiting): Promise<boolean> {
    const { progress, partition } = cursor;
    cursor.compiled = await this.#options.mappings.load(progress, options);
    await awaitSource(this.#options, progress.key, options);
    const { position, epoch } = await resume(this.#options, { progress, at: this.at }, options);
    cursor.stand(position, epoch);
    const [known, now] = [entryOf(progress, partition), entryOf(cursor.progress, partition)];
    const isNewMapping = progress.mappingVersion !== cursor.progress.mappingVersion;
    return isNewMapping || known.cut !== now.cut || isTornSince(known.torn, now);
  }

  /** Takes a report back, unless the sink is another cursor's business by now. */
  #heal(cursor: SinkCursor): void {
    if (this.#cursors.get(cursor.incarnation) !== cursor) return;
    this.#options.status.clear(this.#placeOf(cursor.incarnation));
  }

  #setAside(cursor: SinkCursor, error: MillraceError): void {
    const { retry, status, signal, wake } = this.#options;
    if (signal.aborted || this.#cursors.get(cursor.incarnation) !== cursor) return;
    cursor.state = { kind: 'aside', retryAt: status.failed(this.#placeOf(cursor.incarnation), error, retry) };
    wake();
  }
}

/** Whether a batch that was read at `from` has something for a sink. */
function standsIn({ state, wanted }: SinkCursor, from: Offset, { next }: RecordBatch): boolean {
  return state.kind === 'active' && wanted !== undefined && wanted >= from && wanted < next;
}

/** Offsets only grow: a lower one means another topic of the same name, or a log that was set back. */
function madeAnew(at: TopicPartition, { offset, sinkEnd }: { offset: Offset; sinkEnd: Offset }): MillraceError {
  return new MillraceError(
    'progress.topicChanged',
    `topic "${at.topic}" partition ${at.partition} was made anew: an append went to offset ${offset}, the one before ended at ${sinkEnd}`,
  );
}
