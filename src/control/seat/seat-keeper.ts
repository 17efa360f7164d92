import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Assignment, EventLog, GroupMember } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Peers } from './peers.ts';
import type { Seat } from './seat.ts';

/** The process that is assigned its one partition makes the changes. Nothing is ever written to it. */
export const seatTopic = 'millrace.admin';

export interface SeatKeeperOptions {
  readonly seat: Seat;
  /** Log that holds the internal topic. */
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of this process for people. */
  readonly member: string;
  readonly peers: Peers;
  /** How long an heir gives its predecessor, which may be alive, to finish what runs; 0 where there is only one process. */
  readonly handoverMs: number;
  /** What the holder does, from the sweep on, until the signal is aborted; calls `accepting` when it accepts writes. */
  readonly hold: (tenure: Waiting & { readonly accepting: () => void }) => Promise<void>;
  /** Resolves when nothing runs any more that a former tenure began. */
  readonly finish: () => Promise<void>;
}

interface Tenure {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  failure?: MillraceError;
}

const lookEveryMs = 5000;
/** While something is about to happen. */
const lookSoonMs = 200;
const pauseMs = 1000;

/** Keeps this process in the group of the role, and the seat as the assignment says. */
export class SeatKeeper {
  readonly #options: SeatKeeperOptions;
  readonly #leaving = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  #joinedAt = 0;
  #isReady = false;
  #isRunning = false;
  #isLeaving = false;
  #tenure: Tenure | undefined;
  #finishing: Promise<void> | undefined;
  #waitingSince: number | undefined;

  constructor(options: SeatKeeperOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when this process accepts writes, or knows that another one does; rejects when `run` fails before. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Until it is told to leave. What fails once it is ready is tried again here: the process serves reads meanwhile. */
  async run({ signal }: Waiting): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    this.#isRunning = true;
    try {
      while (!either.aborted) await this.#belong(either);
    } catch (thrown) {
      this.#ready.reject(thrown);
      throw thrown;
    } finally {
      await this.#endTenure();
      this.#ended.resolve();
    }
  }

  /** Gives the seat up, then leaves the group; the caller has seen to it that nothing runs any more. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    if (this.#isRunning) await this.#vacate();
    this.#leaving.abort();
    if (this.#isRunning) await this.#ended.promise;
  }

  async #belong(signal: AbortSignal): Promise<void> {
    try {
      await using member = await this.#join({ signal });
      while (!signal.aborted) {
        await member.poll({ maxBytes: 1, maxWaitMs: this.#lookMs() }, { signal });
        await this.#follow(member, { signal });
      }
    } catch (thrown) {
      if (signal.aborted) return;
      // Only newer releases take such a seat: this process serves reads, and passes changes on.
      const isTheirs = MillraceError.fromUnknown(thrown).code === 'catalog.newerDocument';
      if (isTheirs) this.#becomeReady();
      if (!this.#isReady) throw thrown;
      if (this.#tenure !== undefined) this.#beginFinishing();
      this.#options.logger.warn({ err: thrown }, 'the admin group does not answer, this process changes nothing');
      await this.#options.clock.sleep(isTheirs ? lookEveryMs : pauseMs, { signal }).catch(() => undefined);
    }
  }

  async #join(options: Waiting): Promise<GroupMember> {
    const { log, member: name } = this.#options;
    await log.createTopic({ name: seatTopic, partitions: 1 }, options);
    const member = await log.join({ group: 'admin', member: name }, options);
    await member.subscribe([seatTopic], options);
    this.#joinedAt = this.#options.clock.monotonic();
    return member;
  }

  #lookMs(): number {
    const isWaiting = !this.#isReady || this.#waitingSince !== undefined || this.#finishing !== undefined;
    return isWaiting && this.#tenure === undefined ? lookSoonMs : lookEveryMs;
  }

  async #follow(member: GroupMember, options: Waiting): Promise<void> {
    if (this.#isLeaving) return;
    if (member.assignment.partitions.length === 0) return this.#giveWay(member.assignment, options);
    if (this.#tenure?.failure !== undefined) throw this.#tenure.failure;
    if (this.#tenure !== undefined) {
      if (await this.#options.seat.isHeld(options)) return;
      this.#beginFinishing();
    }
    if (!(await this.#isFree(options))) return;
    this.#waitingSince = undefined;
    if (await this.#options.seat.take(this.#options.peers.url(), options)) this.#begin(member, options);
  }

  async #giveWay({ generation }: Assignment, options: Waiting): Promise<void> {
    this.#waitingSince = undefined;
    if (this.#tenure !== undefined) this.#beginFinishing();
    if (!this.#isReady && (generation > 0 || (await this.#isServed(options)))) this.#becomeReady();
  }

  /** The group may take its time, because a member has died; a process is of use all the same. */
  async #isServed(options: Waiting): Promise<boolean> {
    const { seat, clock, handoverMs, peers } = this.#options;
    if (clock.monotonic() - this.#joinedAt < 2 * handoverMs) return false;
    const holder = await seat.holder(options);
    if (holder === undefined || holder.vacated || holder.holder === seat.owner) return false;
    return peers.answers(holder.url, options);
  }

  /** True when nothing of an earlier tenure runs here, and the predecessor has finished or had the time to. */
  async #isFree(options: Waiting): Promise<boolean> {
    if (this.#finishing !== undefined) return false;
    const { seat, clock, handoverMs } = this.#options;
    const holder = await seat.holder(options);
    if (holder === undefined || holder.vacated || holder.holder === seat.owner) return true;
    this.#waitingSince ??= clock.monotonic();
    return clock.monotonic() - this.#waitingSince >= handoverMs;
  }

  #begin(member: GroupMember, { signal }: Waiting): void {
    const stop = new AbortController();
    const accepting = (): void => this.#becomeReady();
    const work = this.#options.hold({ signal: AbortSignal.any([signal, stop.signal]), accepting });
    const ended = work.catch((thrown: unknown) => {
      if (stop.signal.aborted || signal.aborted) return;
      tenure.failure = MillraceError.fromUnknown(thrown);
      member.wake();
    });
    const tenure: Tenure = { stop, ended };
    this.#tenure = tenure;
  }

  #becomeReady(): void {
    this.#isReady = true;
    this.#ready.resolve();
  }

  /** Stops taking writes at once; when what runs has ended, the heir need not wait any longer. */
  #beginFinishing(): void {
    const { finish, logger } = this.#options;
    const tenure = this.#tenure;
    this.#tenure = undefined;
    tenure?.stop.abort();
    const finishing = async (): Promise<void> => {
      await tenure?.ended;
      await finish();
      await this.#vacate();
    };
    this.#finishing = finishing()
      .catch((thrown: unknown) => logger.debug({ err: thrown }, 'the seat of the admin group was not vacated'))
      .finally(() => (this.#finishing = undefined));
  }

  async #endTenure(): Promise<void> {
    const tenure = this.#tenure;
    this.#tenure = undefined;
    tenure?.stop.abort();
    await tenure?.ended;
  }

  /** Best effort: an heir that finds the seat taken waits a little longer. */
  async #vacate(): Promise<void> {
    await this.#endTenure();
    await this.#options.seat.vacate({ signal: AbortSignal.timeout(pauseMs) }).catch(() => undefined);
  }
}
