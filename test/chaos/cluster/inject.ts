import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaBroker } from '../../support/kafka-brokers.ts';
import type { ProxiedWay, Toxic } from '../../support/toxiproxy.ts';
import type { Fault } from './fault.ts';
import type { Member } from './member.ts';
import { moveLeaders } from './move-leaders.ts';
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
    case 'freeze':
      return frozen(memberOf(members, fault.member), fault.forMs);
    case 'killServer':
      await servers.kill(fault.server);
      await sleep(fault.forMs);
      return servers.start(fault.server);
    case 'killBrokers': {
      const brokers = fault.brokers.map((id) => brokerOf(servers, id));
      await Promise.all(brokers.map((broker) => broker.kill()));
      await sleep(fault.forMs);
      await Promise.all(brokers.map((broker) => broker.start()));
      return;
    }
    case 'freezeBroker':
      return frozen(brokerOf(servers, fault.broker), fault.forMs);
    case 'moveLeaders':
      return moveLeaders(servers.kafka);
    case 'spoil':
      return spoil(servers.waysTo(fault.server, fault.member), fault);
    case 'spoilBrokers': {
      const spoilt = fault.broker === undefined ? servers.kafka.nodes : [brokerOf(servers, fault.broker)];
      return spoil(
        spoilt.flatMap(({ way }) => way ?? []),
        fault,
      );
    }
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

async function frozen(subject: Pick<Member, 'freeze' | 'thaw'>, forMs: number): Promise<void> {
  await subject.freeze();
  await sleep(forMs);
  subject.thaw();
}

async function spoil(
  ways: readonly ProxiedWay[],
  { toxic, forMs }: { readonly toxic: Toxic | 'closed'; readonly forMs: number },
): Promise<void> {
  await Promise.all(ways.map((way) => (toxic === 'closed' ? way.close() : way.spoil(toxic))));
  await sleep(forMs);
  await Promise.all(ways.map((way) => way.heal()));
}

function brokerOf({ kafka }: ChaosServers, id: number): KafkaBroker {
  const broker = kafka.nodes.find((one) => one.id === id);
  if (broker === undefined) throw new Error(`there is no broker ${id}`);
  return broker;
}

function memberOf(members: ReadonlyMap<string, Member>, name: string): Member {
  const member = members.get(name);
  if (member === undefined) throw new Error(`there is no process ${name}`);
  return member;
}
