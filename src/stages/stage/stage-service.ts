import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import type { Compression } from '../../core/compression.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import type { Clock } from '../../core/clock.ts';
import { Deadlines } from '../../core/deadlines.ts';
import { Rests } from '../../core/rests.ts';
import type { Service } from '../../core/service.ts';
import type { Offset } from '../../core/offset.ts';
import type { GroupMember, IdentifiedPartition, RecordBatch } from '../../ports/event-log.ts';
import { identifiedKey, partitionKey } from '../../ports/event-log.ts';
import type { Configuration } from '../replica/configuration.ts';
import type { ReplicaChange } from '../replica/replica.ts';
import { SinksBySource } from '../replica/sinks-by-source.ts';
import { LineBlocks } from './line-blocks.ts';
import { UploadTurns } from './upload-turns.ts';
import { PartitionReader, type PartitionReaderOptions } from './partition-reader.ts';

export interface StageServiceOptions extends Omit<
  PartitionReaderOptions,
  'trigger' | 'compression' | 'onSettled' | 'turns' | 'blocks'
> {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly member: string;
  readonly pollBytes: number;
  /** Absent: as many as the limits say. */
  readonly blocks?: LineBlocks;
}

/**
 * A new sink waits so long at most until its topic is read: what it costs to say which topics are read grows with their number.
 * Taking it over costs as much again, and more than once.
 */
const subscribeRest = { longestMs: 1000, times: 40 } as const;

/** Gathers the outcomes of all sink partitions that the group assigns to this process into slices. */
export class StageService implements Service {
  readonly id = 'stage';
  readonly #options: StageServiceOptions;
  readonly #turns = new UploadTurns();
  readonly #blocks: LineBlocks;
  readonly #readers = new Map<string, PartitionReader>();
  #byTopic: ReadonlyMap<string, readonly PartitionReader[]> = new Map();
  #byIncarnation: ReadonlyMap<Incarnation, readonly PartitionReader[]> = new Map();
  readonly #sinks: SinksBySource;
  readonly #subscribing = new Rests(subscribeRest.longestMs, subscribeRest.times);
  /** What the last subscription took. */
  #subscribeMs = 0;
  /** Topics that were subscribed to last. */
  #subscribed: ReadonlySet<string> = new Set();
  /** Readers that wait for something; nothing else may touch them until then. */
  readonly #busy = new Map<PartitionReader, Promise<void>>();
  /** Readers that are to be looked at in the next round, and those with slices behind, in every round. */
  readonly #watched = new Set<PartitionReader>();
  /** When readers with an open slice, or that have to start, are to be looked at, however many they are. */
  readonly #deadlines = new Deadlines<PartitionReader>();
  readonly #trims = new Map<string, { readonly at: IdentifiedPartition; readonly before: Offset }>();
  #trimming: Promise<void> | undefined;
  readonly #leaving = new AbortController();
  /** Partitions whose old reader must end before another may begin: both would report on the same place. */
  readonly #ending = new Set<string>();
  /** Readers of partitions that are no longer held, as long as they have something under way. */
  readonly #left = new Set<PartitionReader>();
  #member: GroupMember | undefined;
  #generation = -1;
  /** A sink came or went since the last subscription. */
  #hasOtherTopics = true;
  #isDraining = false;
  #rounds = 0;

  constructor(options: StageServiceOptions) {
    this.#options = options;
    this.#blocks = options.blocks ?? new LineBlocks();
    this.#sinks = new SinksBySource(options.configuration.progress);
  }

  get rounds(): number {
    return this.#rounds;
  }

  async run(aborted: AbortSignal): Promise<void> {
    const { progress, sources, sinks } = this.#options.configuration;
    // Before anything is waited for: what changes meanwhile belongs to it.
    const stops = [
      this.#sinks.follow(() => undefined),
      progress.listen((change) => this.#notice(change)),
      ...[sources, sinks].map((replica) => replica.listen((change) => this.#rethink(change))),
    ];
    try {
      await this.#stageAll(AbortSignal.any([aborted, this.#leaving.signal]));
    } finally {
      for (const stop of stops) stop();
    }
  }

  async #stageAll(signal: AbortSignal): Promise<void> {
    const { sinkLog, member, status } = this.#options;
    await status.sweep({ signal });
    this.#member = await sinkLog.join({ group: 'stage', member }, { signal });
    try {
      for (let idle = false; !signal.aborted && !(this.#isDraining && idle);)
        idle = await this.#round(this.#member, signal);
      if (!signal.aborted) await this.#closeAll(signal);
    } finally {
      this.#leaving.abort();
      await Promise.all([...this.#busy.values(), this.#trimming]);
      const readers = [...this.#readers.values(), ...this.#left];
      for (const reader of readers) reader.drop();
      await Promise.all(readers.map((reader) => reader.ended()));
      await status.close();
      await this.#member[Symbol.asyncDispose]();
    }
  }

  /** What is taken and not sealed yet, for people; of one partition in its order. */
  openSlices(): readonly OpenSliceState[] {
    const now = this.#options.clock.monotonic();
    return [...this.#readers.values()].flatMap((reader) => reader.openSlices(now));
  }

  /** True when there was nothing to take. */
  async #round(member: GroupMember, signal: AbortSignal): Promise<boolean> {
    this.#rounds += 1;
    this.#options.status.writeAgain();
    if (this.#hasOtherTopics) await this.#subscribe(member, signal);
    const now = this.#options.clock.monotonic();
    const subscribesAt = this.#hasOtherTopics ? this.#subscribing.dueAt : Number.POSITIVE_INFINITY;
    const deadline = Math.min(this.#watch(now, signal), subscribesAt);
    const maxWaitMs = this.#isDraining ? 0 : Math.min(1000, Math.max(1, deadline - now));
    const batches = await member.poll({ maxBytes: this.#options.pollBytes, maxWaitMs }, { signal });
    if (member.assignment.generation !== this.#generation) this.#reassign(member);
    for (const batch of batches) this.#offer(batch, signal);
    const isIdle = batches.length === 0 && this.#busy.size === 0;
    if (this.#isDraining) await Promise.all(this.#busy.values());
    return isIdle;
  }

  /** Says which topics are read, unless that was said a moment ago. */
  async #subscribe(member: GroupMember, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    if (!this.#isDraining && !this.#subscribing.isDue(began)) return;
    this.#hasOtherTopics = false;
    const topics = [...this.#options.configuration.progress.values()].map(({ value }) => value.topics.sink).sort();
    this.#subscribed = new Set(topics);
    await member.subscribe(topics, { signal });
    const ended = clock.monotonic();
    this.#subscribeMs = ended - began;
    this.#subscribing.done({ began, ended });
  }

  #reassign(member: GroupMember): void {
    const { clock } = this.#options;
    const began = clock.monotonic();
    const { generation, partitions } = member.assignment;
    this.#generation = generation;
    const held = new Map(partitions.map((at) => [identifiedKey(at), at]));
    for (const [key, reader] of this.#readers) {
      if (!held.has(key)) this.#forget(key, reader);
      else if (!this.#busy.has(reader)) this.#read(member, reader);
    }
    const sinks = new Map(
      [...this.#options.configuration.progress.values()].map(({ value }) => [value.topics.sink, value]),
    );
    for (const [key, at] of held) {
      const progress = sinks.get(at.topic);
      if (progress === undefined || this.#readers.has(key) || this.#ending.has(partitionKey(at))) continue;
      const reader = new PartitionReader(at, progress.incarnation, {
        ...this.#options,
        turns: this.#turns,
        blocks: this.#blocks,
        trigger: ({ key }) => this.#options.configuration.settingsOf(key).staging,
        compression: ({ key }) => this.#compressionOf(key),
        onSettled: () => this.#settled(key),
      });
      this.#readers.set(key, reader);
      this.#watched.add(reader);
    }
    this.#byTopic = Map.groupBy(this.#readers.values(), (reader) => reader.at.topic);
    this.#byIncarnation = Map.groupBy(this.#readers.values(), (reader) => reader.incarnation);
    // What another member's subscription makes of the assignment counts, too.
    this.#subscribing.done({ began: began - this.#subscribeMs, ended: clock.monotonic() });
  }

  #compressionOf(key: SinkKey): Compression {
    const { type, gzipLevel } = this.#options.configuration.settingsOf(key).compression;
    return { type: type ?? this.#options.objects.compression, gzipLevel };
  }

  #forget(key: string, reader: PartitionReader): void {
    this.#readers.delete(key);
    this.#watched.delete(reader);
    this.#deadlines.delete(reader);
    if (this.#busy.has(reader)) this.#ending.add(partitionKey(reader.at));
    else this.#leave(reader);
  }

  #leave(reader: PartitionReader): void {
    reader.leave();
    this.#left.add(reader);
    void reader.ended().then(() => this.#left.delete(reader));
  }

  /** Starts readers and closes slices that are due; answers when to look again, on the monotonic clock. */
  #watch(now: number, signal: AbortSignal): number {
    for (const reader of this.#deadlines.take(now)) this.#watched.add(reader);
    let waitedMs = 0;
    for (const reader of this.#watched) {
      reader.tellLate(now);
      waitedMs = Math.max(waitedMs, reader.waitedMs(now));
      if (this.#busy.has(reader)) continue;
      if (this.#isAtRest(reader, now, signal) && !reader.hasSlicesBehind) this.#watched.delete(reader);
    }
    this.#options.observer.uploadsWait(waitedMs);
    return this.#deadlines.first;
  }

  /** True when there is nothing to do for the reader before its deadline, if it has one. */
  #isAtRest(reader: PartitionReader, now: number, signal: AbortSignal): boolean {
    const work = this.#dueWork(reader, now, signal);
    if (work !== undefined) {
      this.#wait(reader, work);
      return false;
    }
    const next = reader.position === undefined ? reader.startAt : reader.deadline(now);
    if (next === undefined) this.#deadlines.delete(reader);
    else this.#deadlines.set(reader, next);
    return true;
  }

  #dueWork(reader: PartitionReader, now: number, signal: AbortSignal): Promise<void> | undefined {
    if (reader.position === undefined) return reader.startAt <= now ? reader.start({ signal }) : undefined;
    if (reader.hasSettled) return reader.settle({ signal });
    const cause = reader.due(now);
    return cause === undefined ? undefined : reader.close(cause, { signal });
  }

  #settled(key: string): void {
    const reader = this.#readers.get(key);
    if (reader !== undefined) this.#watched.add(reader);
    this.#member?.wake();
  }

  #offer(batch: RecordBatch, signal: AbortSignal): void {
    const reader = this.#readers.get(identifiedKey(batch));
    if (reader === undefined || this.#busy.has(reader) || reader.position === undefined) return;
    const work = reader.process(batch, { signal });
    this.#watched.add(reader);
    if (work !== undefined) this.#wait(reader, work);
  }

  /** Leaves a reader alone until its work is done, then reads on where it stands. */
  #wait(reader: PartitionReader, work: Promise<void>): void {
    this.#member?.pause(reader.at);
    const before = reader.position;
    const done = async (): Promise<void> => {
      await work;
      this.#busy.delete(reader);
      this.#goOn(reader, before);
    };
    this.#busy.set(reader, done());
  }

  #goOn(reader: PartitionReader, before: Offset | undefined): void {
    const member = this.#member;
    const key = identifiedKey(reader.at);
    if (member === undefined || this.#readers.get(key) !== reader) {
      this.#leave(reader);
      // Whoever was assigned the partition meanwhile may begin.
      this.#ending.delete(partitionKey(reader.at));
      this.#generation = -1;
      member?.wake();
      return;
    }
    const held = this.#options.configuration.progressOf(reader.incarnation);
    if (held !== undefined) reader.notice(held);
    this.#watched.add(reader);
    if (member.assignment.generation === this.#generation) this.#read(member, reader);
    if (before !== undefined && reader.position !== undefined) this.#trimLater(key, reader);
    member.wake();
  }

  /** Lets the member read on where the reader stands; a group may have forgotten that, even of a partition that stays. */
  #read(member: GroupMember, reader: PartitionReader): void {
    const { position } = reader;
    if (position === undefined) return;
    member.seek(reader.at, position);
    member.resume(reader.at);
  }

  /** Newer documents were seen. */
  #notice(change: ReplicaChange): void {
    const { progress } = this.#options.configuration;
    this.#hasOtherTopics ||= change.removed.length > 0;
    for (const id of change.written) {
      const held = progress.get(id);
      if (held === undefined) continue;
      const topic = held.value.topics.sink;
      this.#hasOtherTopics ||= !this.#subscribed.has(topic);
      for (const reader of this.#byTopic.get(topic) ?? []) {
        if (!this.#busy.has(reader)) reader.notice(held, change);
        this.#watched.add(reader);
      }
    }
    this.#member?.wake();
  }

  /** Settings of a source or a sink may have changed: what is open may be due. */
  #rethink({ written, removed }: ReplicaChange): void {
    for (const id of [...written, ...removed])
      for (const incarnation of this.#sinks.of(id))
        for (const reader of this.#byIncarnation.get(incarnation) ?? []) this.#watched.add(reader);
    this.#member?.wake();
  }

  /** Records below what may be read again are needed by nobody. */
  #trimLater(key: string, { at, neededFrom }: PartitionReader): void {
    if (neededFrom === undefined) return;
    this.#trims.set(key, { at, before: neededFrom });
    this.#trimming ??= this.#trim();
  }

  async #trim(): Promise<void> {
    const signal = AbortSignal.any([this.#leaving.signal, AbortSignal.timeout(60_000)]);
    for (const [key, { at, before }] of this.#trims) {
      this.#trims.delete(key);
      // What is not trimmed now is trimmed after the next seal.
      await this.#options.sinkLog.trim(at, before, { signal }).catch(() => undefined);
    }
    // In the very turn in which nothing was left, so that whatever comes later begins anew.
    this.#trimming = undefined;
  }

  async #closeAll(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#busy.values());
    await Promise.all([...this.#readers.values()].map((reader) => reader.close('drain', { signal })));
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#member?.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain();
  }
}
