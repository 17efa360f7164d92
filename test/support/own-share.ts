import { MillraceError } from '../../src/core/millrace-error.ts';
import type { EventLog, GroupMember } from '../../src/ports/event-log.ts';

const partitions = Array.from({ length: 16 }, (_, partition) => ({ topic: 'any', identity: 'any', partition }));

/** The log of shares of one worker, which has all of them until the test takes them away, whoever else has them. */
export class OwnShare {
  readonly log: EventLog;
  #isDealt = true;
  #isAway = false;
  #isWoken = false;
  #endRest = (): void => undefined;

  constructor(log: EventLog) {
    this.log = new Proxy(log, {
      get: (target, name) => {
        if (name === 'join') return () => this.#answered(() => this.#member());
        if (name === 'createTopic') return () => this.#answered(() => undefined);
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  /** All of it goes to others, or comes back. */
  deal(isMine: boolean): void {
    this.#isDealt = isMine;
    this.#wake();
  }

  /** It answers no more, or again. */
  away(isAway: boolean): void {
    this.#isAway = isAway;
    this.#wake();
  }

  #wake(): void {
    this.#isWoken = true;
    this.#endRest();
  }

  async #answered<Answer>(answer: () => Answer): Promise<Answer> {
    if (this.#isAway) throw new MillraceError('log.unavailable', 'no answer: a fault of the test');
    return answer();
  }

  #member(): GroupMember {
    const ignored = (): void => undefined;
    const assignment = () => ({ generation: 1, partitions: this.#isDealt ? partitions : [] });
    return {
      get assignment() {
        return assignment();
      },
      subscribe: () => Promise.resolve(),
      poll: async ({ maxWaitMs }, { signal }) => {
        await this.#rest(maxWaitMs, signal);
        return this.#answered(() => []);
      },
      seek: ignored,
      pause: ignored,
      resume: ignored,
      wake: () => this.#wake(),
      commit: () => Promise.resolve(),
      committed: () => Promise.resolve(undefined),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#isWoken ? 0 : ms);
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    this.#endRest = resolve;
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#isWoken = false;
      signal.removeEventListener('abort', leave);
    }
  }
}
