import { setTimeout } from 'node:timers/promises';
import { seatTopic } from '../../src/control/seat/seat-keeper.ts';
import type { EventLog, GroupMember } from '../../src/ports/event-log.ts';

/**
 * A log whose member of the admin group is told once that it holds the seat's partition, and never again anything else: as a process that
 * was stopped and does not know yet, or its heir.
 */
export function alwaysAssigned(log: EventLog): EventLog {
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'join') return () => Promise.resolve(createMember());
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function createMember(): GroupMember {
  let polls = 0;
  const ignored = (): void => undefined;
  return {
    assignment: { generation: 1, partitions: [{ topic: seatTopic, identity: 'any', partition: 0 }] },
    subscribe: () => Promise.resolve(),
    poll: async (_, { signal }) => {
      polls += 1;
      // Nothing is news after the first assignment.
      if (polls > 1) await setTimeout(2 ** 30, undefined, { signal });
      return [];
    },
    seek: ignored,
    pause: ignored,
    resume: ignored,
    wake: ignored,
    commit: () => Promise.resolve(),
    committed: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
