import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import type { Member } from './member.ts';
import type { ChaosServers } from './servers.ts';

export interface Injection {
  readonly servers: ChaosServers;
  readonly members: ReadonlyMap<string, Member>;
  /** Makes one more process, not started yet. */
  readonly visitor: (roles: string) => Promise<Member>;
}

/** Lets one thing go wrong; resolves when it is right again and the processes and servers that were killed are back. */
export async function inject(fault: Fault, { servers, members, visitor }: Injection): Promise<void> {
  switch (fault.kind) {
    case 'kill': {
      const member = memberOf(members, fault.member);
      await member.kill();
      await sleep(fault.forMs);
      return member.start();
    }
    case 'freeze': {
      const member = memberOf(members, fault.member);
      member.freeze();
      await sleep(fault.forMs);
      return member.thaw();
    }
    case 'killServer':
      await servers.kill(fault.server);
      await sleep(fault.forMs);
      return servers.start(fault.server);
    case 'spoil':
      return spoil(fault, servers);
    case 'visit': {
      const guest = await visitor(fault.roles);
      await guest.start();
      await sleep(fault.forMs);
      return fault.signal === 'SIGKILL' ? guest.kill() : guest.leave();
    }
    default:
      return fault satisfies never;
  }
}

async function spoil(
  { server, member, toxic, forMs }: Extract<Fault, { kind: 'spoil' }>,
  servers: ChaosServers,
): Promise<void> {
  const ways = servers.waysTo(server, member);
  await Promise.all(ways.map((way) => (toxic === 'closed' ? way.close() : way.spoil(toxic))));
  await sleep(forMs);
  await Promise.all(ways.map((way) => way.heal()));
}

function memberOf(members: ReadonlyMap<string, Member>, name: string): Member {
  const member = members.get(name);
  if (member === undefined) throw new Error(`there is no process ${name}`);
  return member;
}
