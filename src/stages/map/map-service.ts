import { setImmediate } from 'node:timers/promises';
import { Rests } from '../../core/rests.ts';
import type { Service } from '../../core/service.ts';
import { identifiedKey, type GroupMember, type IdentifiedPartition, type RecordBatch } from '../../ports/event-log.ts';
import type { Configuration } from '../replica/configuration.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { AppendRoom } from './append-room.ts';
import { LagHints } from './lag-hints.ts';
import { TopicWatch } from './topic-watch.ts';
import { SinksByTopic } from './sinks-by-topic.ts';
import { PartitionMapper, type PartitionMapperOptions } from './partition-mapper.ts';

export interface MapServiceOptions extends Omit<PartitionMapperOptions, 'signal' | 'wake' | 'lines' | 'room'> {
  readonly configuration: Configuration;
  readonly member: string;
  /** Bytes of events that one poll brings. */
  readonly pollBytes: number;
  /** A round with fewer bytes of events waits for more. */
  readonly fewBytes: number;
  /** How long a round waits for more events when it found few. */
  readonly lingerMs: number;
}

/** Bytes of outcomes that are on their way into the log at once. */
const appendingBytes = 32 * 1024 ** 2;

/**
 * A source whose first sink is new waits so long at most until it is read: to say which topics are read costs more the more there are.
 * Taking it over costs as much again, and more than once.
 */
const subscribeRest = { longestMs: 1000, times: 40 } as const;
/** What nobody needs any more is let go of so late at most: to look for it grows with the number of mappings. */
const releaseRest = { longestMs: 60_000, times: 100 } as const;

/** Maps all source partitions that the group assigns to this process. */
export class MapService implements Service {
  readonly id = 'map';
  readonly #options: MapServiceOptions;
  readonly #mappers = new Map<string, PartitionMapper>();
  /** Mappers of partitions that are no longer held, as long as they have something under way. */
  readonly #left = new Set<PartitionMapper>();
  readonly #leaving = new AbortController();
  /** Where each partition was sought to: tells at which position a batch was read. */
  readonly #positions = new Map<string, number>();
  /** Partitions whose sinks may want another position than the one sought to. */
  readonly #touched = new Set<string>();
  /** When the turn of a partition ends whose sinks stand apart, on the monotonic clock. */
  readonly #turnEnds = new Map<string, number>();
  #member: GroupMember | undefined;
  #generation = -1;
  #retryAt = Number.POSITIVE_INFINITY;
  /** Topics whose sinks have changed since they were last taken over. */
  readonly #changed = new Set<string>();
  /** Of the topics of `#sinks` that were subscribed to last. */
  #subscribed = -1;
  readonly #subscribing = new Rests(subscribeRest.longestMs, subscribeRest.times);
  /** What the last subscription took. */
  #subscribeMs = 0;
  #mayRelease = false;
  readonly #releasing = new Rests(releaseRest.longestMs, releaseRest.times);
  #keysOf: ReadonlyMap<string, readonly string[]> = new Map();
  #isDraining = false;
  #rounds = 0;

  readonly #sinks: SinksByTopic;
  readonly #lines = new LineWriter();
  readonly #hints: LagHints;
  readonly #watch: TopicWatch;
  readonly #room = new AppendRoom(appendingBytes);

  constructor(options: MapServiceOptions) {
    this.#options = options;
    this.#hints = new LagHints(options.clock);
    this.#watch = new TopicWatch(options.sinkLog, options.clock);
    this.#sinks = new SinksByTopic(options.configuration.progress);
  }

  get rounds(): number {
    return this.#rounds;
  }

  async run(aborted: AbortSignal): Promise<void> {
    // Before anything is waited for: what changes meanwhile belongs to it.
    const endFollowing = this.#sinks.follow((topics) => {
      for (const topic of topics) this.#changed.add(topic);
      this.#member?.wake();
    });
    try {
      await this.#mapAll(AbortSignal.any([aborted, this.#leaving.signal]));
    } finally {
      endFollowing();
    }
  }

  async #mapAll(signal: AbortSignal): Promise<void> {
    const { sourceLog, member, status } = this.#options;
    await status.sweep({ signal });
    this.#member = await sourceLog.join({ group: 'map', member }, { signal });
    try {
      for (let idle = false; !signal.aborted && !(this.#isDraining && idle);)
        idle = await this.#round(this.#member, signal);
    } finally {
      await Promise.all([...this.#mappers.values()].map((mapper) => mapper.settled()));
      this.#leaving.abort();
      await Promise.all([...this.#mappers.values(), ...this.#left].map((mapper) => mapper.ended()));
      await Promise.all([status.close(), this.#hints.ended(), this.#watch.ended()]);
      await this.#member[Symbol.asyncDispose]();
    }
  }

  /** True when there was nothing to map. */
  async #round(member: GroupMember, signal: AbortSignal): Promise<boolean> {
    const { clock, pollBytes, fewBytes, status } = this.#options;
    this.#rounds += 1;
    status.writeAgain();
    await this.#follow(member, signal);
    if (member.assignment.generation !== this.#generation) this.#reassign(member, signal);
    const now = clock.monotonic();
    this.#releaseMappings(now);
    if (this.#retryAt <= now) this.#touchAll();
    this.#positionTouched(member, now);
    const subscribesAt = this.#subscribed === this.#sinks.version ? Number.POSITIVE_INFINITY : this.#subscribing.dueAt;
    const untilMs = Math.min(this.#retryAt, subscribesAt, this.#firstTurnEnd()) - now;
    const maxWaitMs = this.#isDraining ? 0 : Math.min(1000, Math.max(1, untilMs));
    const batches = await member.poll({ maxBytes: pollBytes, maxWaitMs }, { signal });
    for (const batch of batches) {
      const key = identifiedKey(batch);
      const from = this.#positions.get(key);
      this.#positions.set(key, batch.next);
      this.#touched.add(key);
      if (from !== undefined) await this.#mappers.get(key)?.process(from, batch);
    }
    this.#hints.note(member, this.#mappers.values(), { signal });
    this.#watch.look(this.#mappers.values(), { signal });
    if (batches.length > 0) await (sizeOf(batches) < fewBytes ? this.#linger(signal) : appendsBegin());
    return batches.length === 0;
  }

  /** Lets more events come, so that the outcomes of many share one commit. */
  async #linger(signal: AbortSignal): Promise<void> {
    if (!this.#isDraining) await this.#options.clock.sleep(this.#options.lingerMs, { signal });
  }

  #touchAll(): void {
    this.#retryAt = Number.POSITIVE_INFINITY;
    for (const key of this.#mappers.keys()) this.#touched.add(key);
  }

  /** Takes over what has changed in the sinks' documents. */
  async #follow(member: GroupMember, signal: AbortSignal): Promise<void> {
    for (const topic of this.#changed) {
      for (const key of this.#keysOf.get(topic) ?? []) {
        this.#mappers.get(key)?.configure(this.#sinks.sinksOf(topic));
        this.#touched.add(key);
      }
    }
    this.#mayRelease ||= this.#changed.size > 0;
    this.#changed.clear();
    const { clock } = this.#options;
    const { version } = this.#sinks;
    const began = clock.monotonic();
    if (version === this.#subscribed || !(this.#isDraining || this.#subscribing.isDue(began))) return;
    this.#subscribed = version;
    await member.subscribe(this.#sinks.topics(), { signal });
    const ended = clock.monotonic();
    this.#subscribeMs = ended - began;
    this.#subscribing.done({ began, ended });
  }

  #firstTurnEnd(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const endsAt of this.#turnEnds.values()) first = Math.min(first, endsAt);
    return first;
  }

  /** Looks through all mappings, when sinks have changed. */
  #releaseMappings(began: number): void {
    if (!this.#mayRelease || !this.#releasing.isDue(began)) return;
    this.#mayRelease = false;
    const { configuration, mappings, clock } = this.#options;
    const used = new Set([...this.#mappers.values()].flatMap((mapper) => mapper.mappings));
    mappings.release((incarnation) => configuration.progressOf(incarnation) !== undefined, used);
    this.#releasing.done({ began, ended: clock.monotonic() });
  }

  #reassign(member: GroupMember, signal: AbortSignal): void {
    const { clock } = this.#options;
    const began = clock.monotonic();
    const { generation, partitions } = member.assignment;
    this.#generation = generation;
    // A group may forget where a partition was sought to, even one that stays.
    this.#positions.clear();
    for (const key of this.#mappers.keys()) this.#touched.add(key);
    const held = new Map(partitions.map((at) => [identifiedKey(at), at]));
    for (const key of this.#mappers.keys()) if (!held.has(key)) this.#forget(key);
    for (const [key, at] of held) {
      if (this.#mappers.has(key)) continue;
      const mapper = new PartitionMapper(at, {
        ...this.#options,
        lines: this.#lines,
        room: this.#room,
        signal,
        wake: () => this.#touch(key),
      });
      this.#mappers.set(key, mapper);
      mapper.configure(this.#sinks.sinksOf(at.topic));
      this.#touched.add(key);
    }
    const keys = [...this.#mappers.keys()];
    this.#keysOf = Map.groupBy(keys, (key) => this.#mappers.get(key)?.at.topic ?? '');
    // What another member's subscription makes of the assignment counts, too.
    this.#subscribing.done({ began: began - this.#subscribeMs, ended: clock.monotonic() });
  }

  #touch(key: string): void {
    this.#touched.add(key);
    this.#member?.wake();
  }

  #forget(key: string): void {
    const mapper = this.#mappers.get(key);
    this.#mappers.delete(key);
    this.#positions.delete(key);
    this.#turnEnds.delete(key);
    if (mapper === undefined) return;
    mapper.leave();
    this.#left.add(mapper);
    void mapper.ended().then(() => this.#left.delete(mapper));
  }

  /** Seeks touched partitions, and those whose turn has ended, to where their sinks want them read. */
  #positionTouched(member: GroupMember, now: number): void {
    for (const [key, endsAt] of this.#turnEnds) if (endsAt <= now) this.#touched.add(key);
    for (const key of this.#touched) {
      this.#turnEnds.delete(key);
      const mapper = this.#mappers.get(key);
      if (mapper === undefined) continue;
      this.#retryAt = Math.min(this.#retryAt, mapper.retryDue(now));
      const turn = mapper.turn(now);
      if (turn === undefined) {
        if (this.#positions.delete(key)) member.pause(mapper.at);
        continue;
      }
      if (this.#positions.get(key) !== turn.offset) this.#seek(member, mapper.at, turn.offset);
      if (turn.endsAt !== Number.POSITIVE_INFINITY) this.#turnEnds.set(key, turn.endsAt);
    }
    this.#touched.clear();
  }

  #seek(member: GroupMember, at: IdentifiedPartition, offset: number): void {
    member.seek(at, offset);
    member.resume(at);
    this.#positions.set(identifiedKey(at), offset);
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#member?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}

/**
 * What was appended goes to the disk while the next batch is read and mapped, not after it: a log begins when the event loop turns,
 * and what is beneath it once more.
 */
async function appendsBegin(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function sizeOf(batches: readonly RecordBatch[]): number {
  return batches.reduce((bytes, { records }) => bytes + records.reduce((sum, { value }) => sum + value.length, 0), 0);
}
