import { setTimeout as sleep } from 'node:timers/promises';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import {
  identifiedKey,
  partitionKey,
  type IdentifiedPartition,
  type NewRecord,
  type PartitionCondition,
} from '../../ports/event-log.ts';
import { AppendLane, type LaneBatch } from './append-lane.ts';
import type { AppendObserver } from '../../telemetry/observe-appends.ts';
import { AppendTroubles } from './append-troubles.ts';
import {
  appendPatienceMs,
  appendSweepMs,
  largestPatienceStepMs,
  largestProbeStepMs,
  patienceStepMs,
  probeStepMs,
} from './config.ts';
import { isRefusedBeforeAppend, isTooLarge, isPassing } from './errors.ts';
import type { SendTurn } from './leader-requests.ts';
import type { ProduceAnswer } from './produce-request.ts';
import type { BatchEncoder } from './producers.ts';

/** What the queue needs of the brokers. */
export interface AppendCarrier {
  /** Encodes batches of the partition, one after the other. */
  encoder(at: IdentifiedPartition): Promise<BatchEncoder>;
  /** Counts what was stored. */
  counted(at: IdentifiedPartition, records: number): void;
  /** What follows comes from a producer that the partition has not seen. */
  forget(at: IdentifiedPartition): void;
  /** Sends to the leader when it is free; undefined when there was nothing any more. */
  send(turn: SendTurn): Promise<ProduceAnswer | undefined>;
  /** The next try looks for the leader again. */
  forgetLeader(at: TopicPartition): void;
  /** Whether the partition has a leader that answers, or is gone, as an append will say; waits a second at most. Never rejects. */
  isWell(at: TopicPartition): Promise<boolean>;
}

export interface AppendPatience {
  /** Settled within this, in some hundred milliseconds; absent: half a minute. */
  readonly withinMs?: number | undefined;
  /** Refused when it could not be sent within this. */
  readonly sendWithinMs?: number | undefined;
}

/** Sends what a lane has. Each lane has one of these loops, so that no batch is in two requests at a time. */
interface LaneRun {
  /** Goes on with the next one; nobody waits for what is on its way or asleep. */
  leave: () => void;
}

/** One try of a run. */
interface LaneTry {
  batch?: LaneBatch | undefined;
  /** Its run has gone on without it: it sends nothing any more. */
  isLeft: boolean;
}

/**
 * Appends in order: one batch of a partition is on its way at a time, and the appends that come meanwhile go out together in
 * the next one. Partitions do not wait for each other. A batch is sent again, the same, until its leader answers or
 * all its appends have met their deadlines; then the next one goes out as another producer's, whether or not that request is answered.
 */
export class AppendQueue {
  readonly #carrier: AppendCarrier;
  readonly #lanes = new Map<string, AppendLane>();
  readonly #running = new Set<Promise<void>>();
  readonly #runs = new Map<AppendLane, LaneRun>();
  readonly #probed = new Set<AppendLane>();
  readonly #closing = new AbortController();
  /** Lanes that are late or refuse, as of the last sweep, by the key of whatever is the partition. */
  readonly #troubled = new Map<string, AppendLane>();
  readonly #troubles: AppendTroubles;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(carrier: AppendCarrier, observer?: AppendObserver) {
    this.#carrier = carrier;
    this.#troubles = new AppendTroubles(observer);
  }

  append(at: IdentifiedPartition, records: readonly NewRecord[], patience: AppendPatience = {}): Promise<Offset> {
    const { withinMs = appendPatienceMs, sendWithinMs = Number.POSITIVE_INFINITY } = patience;
    const key = identifiedKey(at);
    const lane = this.#lanes.get(key) ?? new AppendLane(at);
    const appended = lane.append(records, { now: performance.now(), withinMs, sendWithinMs });
    if (lane.hasWork && !this.#runs.has(lane)) {
      this.#lanes.set(key, lane);
      const running = this.#run(lane).finally(() => this.#running.delete(running));
      this.#running.add(running);
      this.#sweeping ??= setInterval(() => this.#sweep(), appendSweepMs);
    }
    return appended;
  }

  condition(at: TopicPartition): PartitionCondition {
    if (this.#troubled.size === 0) return 'well';
    return this.#troubled.get(partitionKey(at))?.condition(performance.now()) ?? 'well';
  }

  /** From now on nothing is sent again; the first failure settles what is on its way. */
  close(): void {
    this.#closing.abort();
  }

  /** Resolves when every append that was accepted is settled. A request that nobody waits for any more may never be answered. */
  async idle(): Promise<void> {
    const hasWork = (): boolean => [...this.#lanes.values()].some((lane) => lane.hasWork);
    while (hasWork()) await Promise.all(this.#running);
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  async #run(lane: AppendLane): Promise<void> {
    const run: LaneRun = { leave: () => undefined };
    this.#runs.set(lane, run);
    // Appends of the same turn share the first batch.
    await Promise.resolve();
    for (let stepMs = patienceStepMs; lane.hasWork;) {
      const isDone = await this.#turn(lane, run, stepMs);
      stepMs = isDone ? patienceStepMs : Math.min(2 * stepMs, largestPatienceStepMs);
    }
    this.#runs.delete(lane);
    this.#drop(lane);
  }

  /** One try, and the pause when the same must be tried again; true when something else follows. */
  async #turn(lane: AppendLane, run: LaneRun, stepMs: number): Promise<boolean> {
    const one: LaneTry = { isLeft: false };
    const left = Promise.withResolvers<boolean>();
    run.leave = () => {
      one.isLeft = true;
      left.resolve(true);
    };
    if (await Promise.race([this.#try(lane, one), left.promise])) return true;
    this.#carrier.forgetLeader(lane.at);
    return Promise.race([sleep(stepMs, false), left.promise]);
  }

  /** False when the same must be tried again a moment later. */
  async #try(lane: AppendLane, one: LaneTry): Promise<boolean> {
    try {
      const encode = await this.#carrier.encoder(lane.at);
      if (one.isLeft) return true;
      const answer = await this.#carrier.send({
        at: lane.at,
        isWanted: () => !one.isLeft && (one.batch === undefined ? lane.hasWork : lane.isCurrent(one.batch)),
        next: () => {
          if (!one.isLeft) one.batch = lane.next(encode);
          return one.batch?.bytes;
        },
      });
      return answer === undefined || one.batch === undefined || this.#answered(lane, one.batch, answer);
    } catch (thrown) {
      if (one.batch !== undefined) {
        one.batch.unanswered -= 1;
        one.batch.wasUnclear = true;
      }
      if (!one.isLeft) return this.#failed(lane, one.batch, thrown);
      lane.missed(thrown);
      return true;
    }
  }

  #answered(lane: AppendLane, batch: LaneBatch, answer: ProduceAnswer): boolean {
    if (answer.kind === 'stored') {
      // One that was given up before counts for a producer that is forgotten.
      if (lane.isCurrent(batch)) this.#carrier.counted(lane.at, recordsOf(batch));
      lane.stored(batch, answer.offset, performance.now());
      return true;
    }
    const { error } = answer;
    batch.unanswered -= 1;
    if (!isRefusedBeforeAppend(error)) batch.wasUnclear = true;
    if (!lane.isCurrent(batch)) {
      lane.missed(error);
      return true;
    }
    if (isTooLarge(error)) {
      lane.refusedAsTooLarge(batch, error);
      return true;
    }
    if (isRefusedBeforeAppend(error) && isPassing(error) && !this.#closing.signal.aborted) {
      lane.refusedForNow(batch, error);
      return false;
    }
    return this.#failed(lane, batch, error);
  }

  #failed(lane: AppendLane, batch: LaneBatch | undefined, failure: unknown): boolean {
    lane.missed(failure);
    if (isPassing(failure) && !this.#closing.signal.aborted) return false;
    if (batch === undefined) lane.failAll(failure);
    else lane.fail(batch, failure);
    this.#carrier.forget(lane.at);
    return true;
  }

  #sweep(): void {
    const now = performance.now();
    this.#troubled.clear();
    for (const lane of this.#lanes.values()) {
      const isGivenUp = lane.expire(now);
      if (isGivenUp) this.#carrier.forget(lane.at);
      if (isGivenUp || !lane.hasWork) this.#runs.get(lane)?.leave();
      this.#watch(lane);
      if (lane.condition(now) !== 'well') this.#troubled.set(partitionKey(lane.at), lane);
      this.#drop(lane);
    }
    this.#troubles.look(this.#lanes.values());
    if (this.#lanes.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #drop(lane: AppendLane): void {
    if (!lane.hasWork && !this.#runs.has(lane) && lane.trouble === undefined)
      this.#lanes.delete(identifiedKey(lane.at));
  }

  /** While something is wrong with it, one probe looks whether it is well again. */
  #watch(lane: AppendLane): void {
    if (!lane.needsProbe || this.#probed.has(lane) || this.#closing.signal.aborted) return;
    this.#probed.add(lane);
    void this.#probe(lane).finally(() => this.#probed.delete(lane));
  }

  async #probe(lane: AppendLane): Promise<void> {
    const { signal } = this.#closing;
    for (let stepMs = probeStepMs; lane.needsProbe; stepMs = Math.min(2 * stepMs, largestProbeStepMs)) {
      await sleep(stepMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      if (await this.#carrier.isWell(lane.at)) lane.beginTrial(performance.now());
    }
  }
}

function recordsOf({ appends }: LaneBatch): number {
  return appends.reduce((sum, { records }) => sum + records.length, 0);
}
