import type { Toxic } from '../../support/toxiproxy.ts';
import { seededRandom } from '../random.ts';
import { faultNames, nameOfFault, serverNames, type Fault, type FaultName } from './fault.ts';

export interface FaultPlan {
  readonly seed: number;
  /** The measure of everything: half of them are kills of processes, the rest comes on top. */
  readonly kills: number;
  /** Names of the processes. */
  readonly members: readonly string[];
  /** Of processes and of brokers: a freeze takes longer. */
  readonly sessionTimeoutMs: number;
  /** Roles of visitors. */
  readonly visitors: readonly string[];
  /** Only faults of these kinds. Default: all. */
  readonly kinds?: readonly FaultName[];
}

const brokerIds = [1, 2, 3];

/** What comes back is lost in one way or another; the requests arrive. */
const toxics: readonly (Toxic | 'closed')[] = [
  { type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } },
  { type: 'timeout', stream: 'downstream', attributes: { timeout: 300 } },
  { type: 'limit_data', stream: 'downstream', attributes: { bytes: 400 } },
  { type: 'reset_peer', stream: 'downstream', attributes: { timeout: 200 } },
  { type: 'latency', stream: 'downstream', attributes: { latency: 700, jitter: 600 } },
  { type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } },
  { type: 'reset_peer', stream: 'upstream', attributes: { timeout: 0 } },
  'closed',
];

/** The faults of a seed, in order: of each kind as many as its share of the kills, and at least one. */
export function planFaults({ kinds = faultNames, ...plan }: FaultPlan): readonly Fault[] {
  const random = seededRandom(plan.seed);
  const faults = [...ofProcesses(plan, random), ...ofServers(plan, random), ...ofBrokers(plan, random)];
  return shuffle(faults, random).filter((fault) => kinds.includes(nameOfFault(fault)));
}

function share(kills: number, part: number): number {
  return Math.max(1, Math.round(kills * part));
}

type Measure = Omit<FaultPlan, 'kinds'>;

function ofProcesses({ kills, members, sessionTimeoutMs, visitors }: Measure, random: () => number): readonly Fault[] {
  const [frozen, killed] = [inTurn(members, random), inTurn(members, random)];
  const visitor = inTurn(visitors, random);
  const between = within(random);
  return [
    ...some(share(kills, 0.5), (index) => ({ kind: 'kill', member: killed(index), forMs: between(0, 4000) })),
    ...some(share(kills, 0.1), (index) => ({
      kind: 'freeze',
      member: frozen(index),
      forMs: sessionTimeoutMs + between(1500, 5000),
    })),
    ...some(share(kills, 0.1), (index) => ({
      kind: 'visit',
      roles: visitor(index),
      signal: index % 3 === 2 ? 'SIGKILL' : 'SIGTERM',
      forMs: between(2000, 8000),
    })),
  ];
}

function ofServers({ kills, members }: Measure, random: () => number): readonly Fault[] {
  const [member, toxic, between] = [inTurn(members, random), inTurn(toxics, random), within(random)];
  return serverNames.flatMap((server, from) => [
    ...some(share(kills, 0.1), () => ({ kind: 'killServer', server, forMs: between(0, 4000) })),
    ...some(share(kills, 0.1), (index) => ({
      kind: 'spoil',
      server,
      member: random() < 0.4 ? undefined : member(index),
      toxic: toxic(index + 4 * from),
      forMs: between(500, 6000),
    })),
  ]);
}

function ofBrokers({ kills, sessionTimeoutMs }: Measure, random: () => number): readonly Fault[] {
  const [broker, toxic, between] = [inTurn(brokerIds, random), inTurn(toxics, random), within(random)];
  const killed = (count: number, part: number): readonly Fault[] =>
    some(share(kills, part), (index) => ({
      kind: 'killBrokers',
      brokers: Array.from({ length: count }, (_, at) => broker(index + at)).toSorted((a, b) => a - b),
      forMs: between(0, sessionTimeoutMs + 4000),
    }));
  return [
    ...killed(1, 0.1),
    ...killed(2, 0.05),
    ...killed(brokerIds.length, 0.025),
    ...some(share(kills, 0.075), (index) => ({
      kind: 'freezeBroker',
      broker: broker(index + 1),
      forMs: sessionTimeoutMs + between(1500, 5000),
    })),
    ...some(share(kills, 0.1), () => ({ kind: 'moveLeaders', forMs: 0 })),
    // As many as there are ways to spoil one, in a run of forty kills.
    ...some(share(kills, 0.2), (index) => ({
      kind: 'spoilBrokers',
      broker: broker(index),
      toxic: toxic(index),
      forMs: between(500, 6000),
    })),
    ...some(share(kills, 0.05), (index) => ({
      kind: 'spoilBrokers',
      broker: undefined,
      toxic: toxic(index + 3),
      forMs: between(500, 6000),
    })),
  ];
}

function some(count: number, make: (index: number) => Fault): readonly Fault[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function within(random: () => number): (low: number, high: number) => number {
  return (low, high) => Math.round(low + random() * (high - low));
}

function inTurn<Item>(items: readonly Item[], random: () => number): (index: number) => Item {
  const shuffled = shuffle(items, random);
  return (index) => shuffled[index % shuffled.length] ?? fail();
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function fail(): never {
  throw new Error('nothing to choose from');
}
