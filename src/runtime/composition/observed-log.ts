import type { Assignment, EventLog, GroupMember } from '../../ports/event-log.ts';
import type { GroupObserver } from '../../telemetry/observe-groups.ts';
import { passingOn } from './passing-on.ts';

/** The log, whose members tell each change of their share. Reading and appending take no other way than before. */
export function observedLog(log: EventLog, observer: GroupObserver): EventLog {
  return passingOn(log, {
    join: async (spec, options) => observedMember(await log.join(spec, options), spec.group, observer),
  });
}

function observedMember(member: GroupMember, group: string, observer: GroupObserver): GroupMember {
  let told: Assignment['generation'] = 0;
  return passingOn(member, {
    poll: async (limits, options) => {
      try {
        return await member.poll(limits, options);
      } finally {
        const { generation, partitions } = member.assignment;
        if (generation !== told) observer.shareChanged(group, partitions.length);
        told = generation;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await member[Symbol.asyncDispose]();
      observer.shareChanged(group, 0);
    },
  });
}
