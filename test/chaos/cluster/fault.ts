import type { Toxic } from '../../support/toxiproxy.ts';

export const serverNames = ['kafka', 'postgres', 's3'] as const;
export type ServerName = (typeof serverNames)[number];

/** One thing that goes wrong, and for how long. */
export type Fault =
  /** SIGKILL of a process, which comes back. */
  | { readonly kind: 'kill'; readonly member: string; readonly forMs: number }
  /** SIGSTOP for longer than the session of its group, then SIGCONT: a zombie. */
  | { readonly kind: 'freeze'; readonly member: string; readonly forMs: number }
  /** kill -9 of a server, which comes back with what it had. */
  | { readonly kind: 'killServer'; readonly server: ServerName; readonly forMs: number }
  /** The way to a server is spoilt, for one process or for all. */
  | {
      readonly kind: 'spoil';
      readonly server: ServerName;
      readonly member: string | undefined;
      readonly toxic: Toxic | 'closed';
      readonly forMs: number;
    }
  /** One more process comes, and leaves by the signal. */
  | { readonly kind: 'visit'; readonly roles: string; readonly signal: 'SIGTERM' | 'SIGKILL'; readonly forMs: number };

export type FaultKind = Fault['kind'];

/** What faults must not share while they last. */
export function subjectOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return fault.member;
    case 'killServer':
      return fault.server;
    case 'spoil':
      return `way to ${fault.server}`;
    case 'visit':
      return 'visitor';
    default:
      return fault satisfies never;
  }
}

/** For a person, and for counting. */
export function describeFault(fault: Fault): string {
  const during = `for ${(fault.forMs / 1000).toFixed(1)} s`;
  switch (fault.kind) {
    case 'kill':
    case 'freeze':
      return `${fault.kind} ${fault.member} ${during}`;
    case 'killServer':
      return `kill ${fault.server} ${during}`;
    case 'spoil':
      return `spoil the way to ${fault.server} of ${fault.member ?? 'all'} (${nameOfToxic(fault.toxic)}) ${during}`;
    case 'visit':
      return `one more ${fault.roles} ${during}, leaves by ${fault.signal}`;
    default:
      return fault satisfies never;
  }
}

function nameOfToxic(toxic: Toxic | 'closed'): string {
  return toxic === 'closed' ? toxic : `${toxic.type} ${toxic.stream}`;
}
