import type { EventLog, GroupMember } from '../../../src/ports/event-log.ts';

/** A log whose members find nothing until they are let go on, so that all that is to be read is there before the first record is. */
export class HeldLog {
  readonly log: EventLog;
  #released: PromiseWithResolvers<void> | undefined;
  #parked: PromiseWithResolvers<void> | undefined;
  #member: GroupMember | undefined;

  constructor(log: EventLog) {
    this.log = replacing(log, {
      join: async (...args) => {
        const member = await log.join(...args);
        this.#member = member;
        return replacing(member, {
          poll: async (limits, options) => {
            this.#parked?.resolve();
            await this.#released?.promise;
            options.signal.throwIfAborted();
            return await member.poll(limits, options);
          },
        });
      },
    });
  }

  /** Resolves when its member waits here, and has nothing. */
  async hold(): Promise<void> {
    this.#released = Promise.withResolvers();
    this.#parked = Promise.withResolvers();
    this.#member?.wake();
    await this.#parked.promise;
  }

  release(): void {
    this.#released?.resolve();
    this.#released = undefined;
  }
}

/** The same object with other methods. */
function replacing<T extends object>(original: T, methods: Partial<T>): T {
  return new Proxy(original, {
    get: (target, name) => {
      const found: unknown = Reflect.get(name in methods ? methods : target, name, name in methods ? methods : target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
}
