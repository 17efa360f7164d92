import type { Clock } from '../../core/clock.ts';
import type { Offset } from '../../core/offset.ts';
import { Rests } from '../../core/rests.ts';
import { identifiedKey, type GroupMember, type IdentifiedPartition } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

const everyMs = 1000;
/** With so many partitions that a look at all takes long, it is a hundredth of the time. */
const rest = { longestMs: 30_000, times: 100 } as const;
/** A partition that does not move is noted again after this, because a note may be lost without a sign. */
const againMs = 30_000;

interface Hint {
  readonly offset: Offset;
  readonly notedAt: number;
}

/** Where a partition stands. */
export interface LowestPosition {
  readonly at: IdentifiedPartition;
  /** Undefined while nothing wants it. */
  readonly lowest: Offset | undefined;
}

/**
 * Notes with the group how far mapping has come, for people who look at its lag. Nothing is decided by it, so nobody
 * waits for it: all partitions that have moved are noted side by side, at most once a second.
 */
export class LagHints {
  readonly #clock: Clock;
  #hints = new Map<string, Hint>();
  #notedAt = Number.NEGATIVE_INFINITY;
  readonly #looking = new Rests(rest.longestMs, rest.times);
  #noting: Promise<unknown> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins to note what is due; to be called as often as one likes. */
  note(member: GroupMember, positions: Iterable<LowestPosition>, { signal }: Waiting): void {
    const now = this.#clock.monotonic();
    if (this.#noting !== undefined || now - this.#notedAt < everyMs || !this.#looking.isDue(now)) return;
    this.#notedAt = now;
    const hints = new Map<string, Hint>();
    const commits: Promise<void>[] = [];
    for (const { at, lowest: offset } of positions) {
      if (offset === undefined) continue;
      const key = identifiedKey(at);
      const before = this.#hints.get(key);
      const isNoted = before?.offset === offset && now - before.notedAt < againMs;
      hints.set(key, isNoted ? before : { offset, notedAt: now });
      if (!isNoted) commits.push(member.commit(at, offset, { signal }).catch(() => undefined));
    }
    this.#hints = hints;
    this.#looking.done({ began: now, ended: this.#clock.monotonic() });
    if (commits.length === 0) return;
    this.#noting = Promise.all(commits).finally(() => {
      this.#noting = undefined;
    });
  }

  /** Resolves when nothing is being noted. */
  async ended(): Promise<void> {
    await this.#noting;
  }
}
