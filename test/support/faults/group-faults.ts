import { partitionKey, type EventLog, type GroupMember } from '../../../src/ports/event-log.ts';

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
      forgotten.add(partitionKey(at));
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
      if (forgotten.delete(partitionKey(at))) member.resume(at);
    },
    resume: (at) => {
      if (!forgotten.has(partitionKey(at))) member.resume(at);
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
