import { abortable } from '../../../src/core/abortable.ts';
import { identifiedKey, type EventLog, type GroupMember } from '../../../src/ports/event-log.ts';
import { eventually } from '../eventually.ts';

/** The log, but every group that is joined is one of this member alone: it never notices who else there is. */
export function aloneIn(name: string, log: EventLog): EventLog {
  return joining(log, (spec, options) => log.join({ ...spec, group: `${spec.group}-${name}` }, options));
}

/**
 * The log, but whenever a group assigns anew, its members forget where partitions were sought to, also of those that stay.
 * Kafka's groups with eager rebalancing are like that.
 */
export function forgetful(log: EventLog): EventLog {
  return joining(log, async (spec, options) => forgetfulMember(await log.join(spec, options)));
}

/** Keeps the members of groups from looking at their logs for a while, so that what happens meanwhile lies between two polls. */
export class PollGate {
  readonly #members = new Set<GroupMember>();
  #closed: { readonly opened: Promise<void>; readonly open: () => void } | undefined;
  #polling = 0;

  behind(log: EventLog): EventLog {
    return joining(log, async (spec, options) => this.#gated(await log.join(spec, options)));
  }

  /** Resolves when none of them looks any more. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = { opened: promise, open: resolve };
    await eventually(() => {
      for (const member of this.#members) member.wake();
      if (this.#polling > 0) throw new Error(`${this.#polling} members of groups look at their logs`);
    });
  }

  open(): void {
    this.#closed?.open();
    this.#closed = undefined;
  }

  #gated(member: GroupMember): GroupMember {
    this.#members.add(member);
    return overriding(member, {
      poll: async (limits, options) => {
        if (this.#closed !== undefined) await abortable(this.#closed.opened, options.signal);
        this.#polling += 1;
        try {
          return await member.poll(limits, options);
        } finally {
          this.#polling -= 1;
        }
      },
      [Symbol.asyncDispose]: async () => {
        this.#members.delete(member);
        await member[Symbol.asyncDispose]();
      },
    });
  }
}

function joining(log: EventLog, join: EventLog['join']): EventLog {
  return overriding(log, { join });
}

function forgetfulMember(member: GroupMember): GroupMember {
  const forgotten = new Set<string>();
  let { generation } = member.assignment;
  const forget = (): void => {
    if (member.assignment.generation === generation) return;
    generation = member.assignment.generation;
    for (const at of member.assignment.partitions) {
      member.pause(at);
      forgotten.add(identifiedKey(at));
    }
  };
  return overriding(member, {
    poll: async (limits, options) => {
      const batches = await member.poll(limits, options);
      forget();
      return batches;
    },
    seek: (at, offset) => {
      member.seek(at, offset);
      if (forgotten.delete(identifiedKey(at))) member.resume(at);
    },
    resume: (at) => {
      if (!forgotten.has(identifiedKey(at))) member.resume(at);
    },
  });
}

/** `target` with some methods replaced. */
function overriding<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, property) => {
      const replaced: unknown = Reflect.get(methods, property);
      if (replaced !== undefined) return replaced;
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
