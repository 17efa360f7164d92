import type { Toxic } from '../../support/toxiproxy.ts';

/** Servers of one process each; Kafka has brokers. */
export const serverNames = ['postgres', 's3'] as const;
export type ServerName = (typeof serverNames)[number];

/** One thing that goes wrong, and for how long. */
export type Fault =
  /** SIGKILL of a process, which comes back. */
  | { readonly kind: 'kill'; readonly member: string; readonly forMs: number }
  /** SIGSTOP for longer than the session of its group, then SIGCONT: a zombie. */
  | { readonly kind: 'freeze'; readonly member: string; readonly forMs: number }
  /** kill -9 of a server, which comes back with what it had. */
  | { readonly kind: 'killServer'; readonly server: ServerName; readonly forMs: number }
  /** kill -9 of one broker: what it leads moves. Of two: too few replicas are left to take an append. Of all: Kafka is away. */
  | { readonly kind: 'killBrokers'; readonly brokers: readonly number[]; readonly forMs: number }
  /** SIGSTOP of a broker for longer than its session, then SIGCONT: it finds that it leads nothing. */
  | { readonly kind: 'freezeBroker'; readonly broker: number; readonly forMs: number }
  /** Partitions of the source, of groups and of transactions get other leaders, while all brokers live. */
  | { readonly kind: 'moveLeaders'; readonly forMs: 0 }
  /** The way to a server is spoilt, for one process or for all. */
  | {
      readonly kind: 'spoil';
      readonly server: ServerName;
      readonly member: string | undefined;
      readonly toxic: Toxic | 'closed';
      readonly forMs: number;
    }
  /** The way of all clients to one broker is spoilt, or to all brokers. Brokers still find each other. */
  | {
      readonly kind: 'spoilBrokers';
      readonly broker: number | undefined;
      readonly toxic: Toxic | 'closed';
      readonly forMs: number;
    }
  /** One more process comes, and leaves by the signal. */
  | { readonly kind: 'visit'; readonly roles: string; readonly signal: 'SIGTERM' | 'SIGKILL'; readonly forMs: number };

/** What is counted: each must be reached. */
export const faultNames = [
  'kill a process',
  'freeze a process',
  'kill postgres',
  'kill s3',
  'kill one broker',
  'kill two brokers',
  'kill all brokers',
  'freeze a broker',
  'move leaders',
  'spoil the way to postgres',
  'spoil the way to s3',
  'spoil the way to one broker',
  'spoil the way to all brokers',
  'one more process',
] as const;
export type FaultName = (typeof faultNames)[number];

export function nameOfFault(fault: Fault): FaultName {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return `${fault.kind} a process`;
    case 'killServer':
      return `kill ${fault.server}`;
    case 'killBrokers':
      return `kill ${fault.brokers.length === 1 ? 'one broker' : fault.brokers.length === 2 ? 'two brokers' : 'all brokers'}`;
    case 'freezeBroker':
      return 'freeze a broker';
    case 'moveLeaders':
      return 'move leaders';
    case 'spoil':
      return `spoil the way to ${fault.server}`;
    case 'spoilBrokers':
      return `spoil the way to ${fault.broker === undefined ? 'all brokers' : 'one broker'}`;
    case 'visit':
      return 'one more process';
    default:
      return fault satisfies never;
  }
}

/** What faults must not share while they last. */
export function subjectOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return fault.member;
    case 'killServer':
      return fault.server;
    case 'killBrokers':
    case 'freezeBroker':
    case 'moveLeaders':
      return 'brokers';
    case 'spoil':
      return `way to ${fault.server}`;
    case 'spoilBrokers':
      return 'way to brokers';
    case 'visit':
      return 'visitor';
    default:
      return fault satisfies never;
  }
}

/** For a person. */
export function describeFault(fault: Fault): string {
  return `${nameOfFault(fault)}${detailsOf(fault)} for ${(fault.forMs / 1000).toFixed(1)} s`;
}

function detailsOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return `: ${fault.member}`;
    case 'killServer':
    case 'moveLeaders':
      return '';
    case 'killBrokers':
      return `: ${fault.brokers.join(', ')}`;
    case 'freezeBroker':
      return `: ${fault.broker}`;
    case 'spoil':
      return ` of ${fault.member ?? 'all'} (${nameOfToxic(fault.toxic)})`;
    case 'spoilBrokers':
      return ` ${fault.broker ?? ''} (${nameOfToxic(fault.toxic)})`;
    case 'visit':
      return `: ${fault.roles}, leaves by ${fault.signal},`;
    default:
      return fault satisfies never;
  }
}

function nameOfToxic(toxic: Toxic | 'closed'): string {
  return toxic === 'closed' ? toxic : `${toxic.type} ${toxic.stream}`;
}
