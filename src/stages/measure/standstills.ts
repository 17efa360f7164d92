import { progressId } from '../../documents/document-id.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { sinkStatusDocuments } from '../../documents/sink-status-document.ts';
import type { Clock } from '../../core/clock.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { Offset, Partition } from '../../core/offset.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { endsOf } from '../../core/progress/source-ends.ts';
import {
  standingsAfter,
  standstills,
  stagePositions,
  type Standings,
  type StageFacts,
  type StagePosition,
  type Standstill,
} from '../../core/progress/standstill.ts';
import { isStale, type SinkStatus } from '../../core/sink-status.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Configuration } from '../replica/configuration.ts';
import { alarmClosed, alarmOpened } from '../../telemetry/sink-alarm.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

export interface StandstillsOptions {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

interface Watched {
  readonly key: SinkProgress['key'];
  readonly standings: Standings;
  /** What stood still without a reason at the last look. */
  readonly found: readonly Standstill[];
  readonly alarm: SinkStatus | undefined;
}

/**
 * Answers for the source topics of one look: a topic that does not answer holds the look up once, not once for each
 * sink.
 */
type EndsOfLook = Map<string, Promise<StageFacts['ends']>>;

/** Alarms on stages that do not move though they have work, and say no reason. */
export class Standstills {
  readonly #options: StandstillsOptions;
  readonly #watched = new Map<Incarnation, Watched>();

  constructor(options: StandstillsOptions) {
    this.#options = options;
  }

  /** What stands still of a sink, in words; undefined when nothing does. */
  alarmOf(incarnation: Incarnation): string | undefined {
    return this.#watched.get(incarnation)?.alarm?.message;
  }

  /** Looks at every sink once. */
  async look({ signal }: Waiting): Promise<void> {
    const { configuration } = this.#options;
    for (const [incarnation, watched] of this.#watched) {
      if (configuration.progressOf(incarnation) === undefined)
        this.#settle(incarnation, { ...watched, alarm: undefined });
    }
    const ends: EndsOfLook = new Map();
    for (const { value } of configuration.progress.values()) {
      const places = await this.#places(value, ends, { signal }).catch(() => {
        signal.throwIfAborted();
        return undefined;
      });
      await this.#judge(value, places ?? this.#placesWithoutTopics(value), { signal });
    }
  }

  /**
   * While topics cannot be read: imports are still looked at, what stood still without a reason still does, and nothing
   * else is found.
   */
  #placesWithoutTopics(progress: SinkProgress): readonly StagePosition[] {
    const found = this.#watched.get(progress.incarnation)?.found ?? [];
    const facts = { ends: new Map<Partition, Offset>(), ...this.#factsOf(progress) };
    return [...found.filter(({ stage }) => stage !== 'import'), ...stagePositions(progress, facts)];
  }

  /** What is known without a look at a topic. */
  #factsOf({ key }: SinkProgress): Omit<StageFacts, 'ends'> {
    const { staging, target } = this.#options.configuration.settingsOf(key);
    const mapped = new Map<Partition, Offset>();
    return { mapped, stagingIntervalMs: staging.intervalMs, importIntervalMs: target.intervalMs };
  }

  async #places(progress: SinkProgress, looked: EndsOfLook, { signal }: Waiting): Promise<readonly StagePosition[]> {
    const { source } = progress.topics;
    const asked = looked.get(source) ?? this.#endsOf(source, { signal });
    looked.set(source, asked);
    const facts = { ends: await asked, ...this.#factsOf(progress) };
    const unmapped = stagePositions(progress, facts).filter(
      ({ stage, position, end }) => stage === 'map' && position < end,
    );
    if (unmapped.length === 0) return stagePositions(progress, facts);
    const mapped = new Map<Partition, Offset>();
    for (const { partition = 0 } of unmapped) {
      const to = await this.#mappedTo(progress, partition, { signal });
      if (to !== undefined) mapped.set(partition, to);
    }
    return stagePositions(progress, { ...facts, mapped });
  }

  async #endsOf(topic: string, waiting: Waiting): Promise<StageFacts['ends']> {
    return endsOf(await this.#options.sourceLog.ranges(topic, waiting)).stable;
  }

  async #mappedTo({ topics }: SinkProgress, partition: Partition, waiting: Waiting): Promise<Offset | undefined> {
    const record = await this.#options.sinkLog.lastRecord({ topic: topics.sink, partition }, waiting);
    return record === undefined ? undefined : decodeOutcome(record.value).to;
  }

  async #judge({ incarnation, key }: SinkProgress, places: readonly StagePosition[], waiting: Waiting): Promise<void> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    const standings = standingsAfter(this.#watched.get(incarnation)?.standings ?? new Map(), places, now);
    const isSuspect = standstills(standings, places, { now, explained: [] }).length > 0;
    const explained = isSuspect ? await this.#explained(incarnation, waiting) : [];
    const found = standstills(standings, places, { now, explained });
    const alarm = found[0] === undefined ? undefined : this.#statusOf(incarnation, found[0]);
    this.#settle(incarnation, { key, standings, found, alarm });
  }

  async #explained(incarnation: Incarnation, waiting: Waiting): Promise<readonly SinkStatus[]> {
    const { catalog, clock } = this.#options;
    const prefix = `${progressId(incarnation)}/`;
    const { documents } = await listReadable(catalog, { kind: sinkStatusDocuments, prefix }, waiting);
    return documents.filter((status) => !isStale(status, clock.now()));
  }

  #statusOf(incarnation: Incarnation, { stage, partition, forMs }: Standstill): SinkStatus {
    const before = this.#watched.get(incarnation)?.alarm;
    const now = this.#options.clock.now();
    const at = new Date(now).toISOString();
    const place = partition === undefined ? '' : ` at partition ${partition}`;
    const message = `The stage "${stage}" has not moved${place} for ${Math.round(forMs / 1000)} seconds, though it has work, and says no reason.`;
    const since = before?.role === stage ? before.since : new Date(now - forMs).toISOString();
    return {
      incarnation,
      role: stage,
      code: 'sink.standstill',
      message,
      since,
      lastTryAt: at,
      nextTryAt: at,
      attempts: 1,
    };
  }

  /** Remembers a sink and tells of an alarm that opened or closed. */
  #settle(incarnation: Incarnation, watched: Watched): void {
    const { configuration, telemetry } = this.#options;
    const before = this.#watched.get(incarnation)?.alarm;
    const { key, alarm } = watched;
    if (before !== undefined && before.role !== alarm?.role) alarmClosed(telemetry, { key, status: before });
    if (alarm !== undefined && before?.role !== alarm.role) alarmOpened(telemetry, { key, status: alarm });
    if (configuration.progressOf(incarnation) === undefined) this.#watched.delete(incarnation);
    else this.#watched.set(incarnation, watched);
  }
}
