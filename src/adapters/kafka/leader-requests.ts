import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceError } from '../../core/millrace-error.ts';
import { topicChanged } from '../../core/topic-changed.ts';
import { identifiedKey, partitionKey, type IdentifiedPartition } from '../../ports/event-log.ts';
import { hangUpRequests, type FullBroker } from './broker.ts';
import type { AnswerObserver } from '../../telemetry/observe-appends.ts';
import type { KafkaConnections } from './client.ts';
import { lateAppendMs, produceRequestBytes } from './config.ts';
import { BrokerError } from './error-codes.ts';
import {
  produceBatches,
  topicNaming,
  type ProduceAnswer,
  type ProducedBatch,
  type TopicNaming,
} from './produce-request.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** A partition that has something for its leader. */
export interface SendTurn {
  readonly at: IdentifiedPartition;
  /** False when nobody waits for it any more. */
  isWanted(): boolean;
  /** What goes into the request that is made now, if anything is left. */
  next(): Buffer | undefined;
}

interface Sending extends SendTurn {
  readonly resolve: (answer: ProduceAnswer | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

interface Round {
  readonly sendings: readonly Sending[];
  /** Set when the request is made, with the broker that has it. */
  taken: readonly (Sending & ProducedBatch)[] | undefined;
  broker: FullBroker | undefined;
  isOver: boolean;
}

/**
 * Produce requests: one to each leader at a time, shared by all partitions that have something by then. A leader that
 * does not answer is left when other brokers say that it no longer leads, or when nobody waits any more; its connection
 * is closed.
 */
export class LeaderRequests {
  readonly #connections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #observer: AnswerObserver | undefined;
  readonly #lanes = new Map<number, Sending[]>();
  readonly #namings = new WeakMap<FullBroker, TopicNaming>();
  #hasSentNames = false;

  constructor(connections: KafkaConnections, directory: TopicDirectory, observer?: AnswerObserver) {
    this.#connections = connections;
    this.#directory = directory;
    this.#observer = observer;
  }

  /**
   * True when some broker was too old for topic ids: a batch may have gone to another existence of its topic than the one that
   * was known when it was sent.
   */
  get hasSentNames(): boolean {
    return this.#hasSentNames;
  }

  /**
   * Undefined when nothing was left to send. Rejects when the request was not answered, or not made, among others with
   * `progress.topicChanged` when the topic was made anew.
   */
  async send(turn: SendTurn): Promise<ProduceAnswer | undefined> {
    const { at } = turn;
    const leader = await this.#directory.leader(at);
    const topic = await this.#directory.topic(at.topic);
    if (topic.identity !== at.identity) throw topicChanged({ ...at, identity: topic.identity }, at.identity);
    const { promise, resolve, reject } = Promise.withResolvers<ProduceAnswer | undefined>();
    const sending: Sending = { at, isWanted: () => turn.isWanted(), next: () => turn.next(), resolve, reject };
    const lane = this.#lanes.get(leader);
    if (lane === undefined) {
      this.#lanes.set(leader, [sending]);
      void this.#run(leader);
    } else lane.push(sending);
    return promise;
  }

  /** Never rejects. */
  async #run(leader: number): Promise<void> {
    const waiting = this.#lanes.get(leader) ?? [];
    for (;;) {
      // The next request is shared by the partitions that the last one answered and by all others that have something
      // now.
      await new Promise(setImmediate);
      if (waiting.length === 0) break;
      const round: Round = { sendings: waiting.splice(0), taken: undefined, broker: undefined, isOver: false };
      const rest = await this.#round(leader, round);
      waiting.unshift(...rest);
    }
    this.#lanes.delete(leader);
  }

  /** Those for whom the request had no room. Never rejects. */
  async #round(leader: number, round: Round): Promise<readonly Sending[]> {
    const watch = new AbortController();
    const request = this.#request(leader, round).finally(() => watch.abort());
    const given = this.#watch(leader, round, watch.signal);
    const rest = await Promise.race([request, given]);
    round.isOver = true;
    return rest;
  }

  async #request(leader: number, round: Round): Promise<readonly Sending[]> {
    try {
      const broker = await this.#connections.broker(leader);
      const naming = await this.#namingOf(broker);
      this.#hasSentNames ||= naming === 'name';
      if (round.isOver) return [];
      const { taken, rest } = take(round.sendings);
      round.taken = taken;
      round.broker = broker;
      if (taken.length === 0) return rest;
      const began = performance.now();
      const answers = await produceBatches(broker, taken, naming);
      this.#observer?.answered('produce', performance.now() - began);
      for (const { at, resolve, reject } of taken) {
        const answer = answers.get(identifiedKey(at));
        if (answer === undefined) reject(notAnswered(at));
        else resolve(answer);
      }
      return rest;
    } catch (thrown) {
      const { taken } = round;
      for (const { reject } of taken ?? round.sendings) reject(thrown);
      const isTaken = new Set((taken ?? round.sendings).map(({ at }) => identifiedKey(at)));
      return round.sendings.filter(({ at }) => !isTaken.has(identifiedKey(at)));
    }
  }

  /** Settles when the request was given up before it was made; one that was made ends with its connection. Never rejects. */
  async #watch(leader: number, round: Round, signal: AbortSignal): Promise<readonly Sending[]> {
    const never = new Promise<readonly Sending[]>(() => undefined);
    for (;;) {
      await sleep(lateAppendMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return never;
      const isWanted = (round.taken ?? round.sendings).some((sending) => sending.isWanted());
      if (isWanted && (await this.#stillLeads(leader, round))) continue;
      if (signal.aborted) return never;
      if (round.broker === undefined) {
        round.isOver = true;
        for (const { at, reject } of round.sendings) reject(leftBehind(at, leader));
        return [];
      }
      hangUpRequests(round.broker);
      return never;
    }
  }

  async #namingOf(broker: FullBroker): Promise<TopicNaming> {
    const known = this.#namings.get(broker) ?? (await topicNaming(broker));
    this.#namings.set(broker, known);
    return known;
  }

  /** As far as other brokers know; true when they do not say. */
  async #stillLeads(leader: number, { taken, sendings }: Round): Promise<boolean> {
    const [first] = taken ?? sendings;
    if (first === undefined) return true;
    this.#directory.forget(first.at.topic);
    try {
      return (await this.#directory.leader(first.at)) === leader;
    } catch {
      return true;
    }
  }
}

interface Taken {
  readonly taken: readonly (Sending & ProducedBatch)[];
  readonly rest: readonly Sending[];
}

/** A request names a partition once, even when its topic was made anew between two batches. */
function take(sendings: readonly Sending[]): Taken {
  const taken: (Sending & ProducedBatch)[] = [];
  const names = new Set<string>();
  let size = 0;
  for (const [index, sending] of sendings.entries()) {
    const name = partitionKey(sending.at);
    if (size >= produceRequestBytes || names.has(name)) return { taken, rest: sendings.slice(index) };
    const bytes = sending.next();
    if (bytes === undefined) {
      sending.resolve(undefined);
      continue;
    }
    names.add(name);
    size += bytes.length;
    taken.push({ ...sending, bytes });
  }
  return { taken, rest: [] };
}

/** The same failure as when the broker itself says that it does not lead. */
function leftBehind({ topic, partition }: IdentifiedPartition, leader: number): BrokerError {
  return new BrokerError(6, `broker ${leader} is silent about partition ${partition} of topic "${topic}"`);
}

function notAnswered({ topic, partition }: IdentifiedPartition): MillraceError {
  const message = `the broker did not answer for partition ${partition} of topic "${topic}"`;
  return new MillraceError('log.unavailable', message);
}
