import type { Toxic } from '../../support/toxiproxy.ts';
import { seededRandom } from '../random.ts';
import { serverNames, type Fault, type ServerName } from './fault.ts';

export interface FaultPlan {
  readonly seed: number;
  /** Kills and freezes; ways are spoilt and visitors come besides. */
  readonly kills: number;
  /** Names of the processes. */
  readonly members: readonly string[];
  /** A freeze takes longer. */
  readonly sessionTimeoutMs: number;
  /** Roles of visitors. */
  readonly visitors: readonly string[];
}

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

/** The faults of a seed, in order: of each kind as many as its share of the kills, every process and server among them. */
export function planFaults({ seed, kills, members, sessionTimeoutMs, visitors }: FaultPlan): readonly Fault[] {
  const random = seededRandom(seed);
  const share = (part: number): number => Math.max(1, Math.round(kills * part));
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low));
  const inTurn = <Item>(items: readonly Item[]): ((index: number) => Item) => {
    const shuffled = shuffle(items, random);
    return (index) => shuffled[index % shuffled.length] ?? fail();
  };
  const some = (count: number, make: (index: number) => Fault): readonly Fault[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const killServer = (server: ServerName) => (): Fault => ({ kind: 'killServer', server, forMs: between(0, 4000) });
  const [frozen, killed, spoilt] = [inTurn(members), inTurn(members), inTurn(members)];
  const [toxic, visitor, server] = [inTurn(toxics), inTurn(visitors), inTurn(serverNames)];
  const freezes = share(0.12);
  const servers = { kafka: share(0.12), postgres: share(0.1), s3: share(0.08) };
  const processes = Math.max(1, kills - freezes - servers.kafka - servers.postgres - servers.s3);
  return shuffle(
    [
      ...some(processes, (index) => ({ kind: 'kill', member: killed(index), forMs: between(0, 4000) })),
      ...some(freezes, (index) => ({
        kind: 'freeze',
        member: frozen(index),
        forMs: sessionTimeoutMs + between(1500, 5000),
      })),
      ...some(servers.kafka, killServer('kafka')),
      ...some(servers.postgres, killServer('postgres')),
      ...some(servers.s3, killServer('s3')),
      ...some(share(0.3), (index) => ({
        kind: 'spoil',
        server: server(index),
        // Kafka is reached by the address that it says itself: all have the same way.
        member: server(index) === 'kafka' || random() < 0.4 ? undefined : spoilt(index),
        toxic: toxic(index),
        forMs: between(500, 6000),
      })),
      ...some(share(0.1), (index) => ({
        kind: 'visit',
        roles: visitor(index),
        signal: index % 3 === 2 ? 'SIGKILL' : 'SIGTERM',
        forMs: between(2000, 8000),
      })),
    ],
    random,
  );
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

function fail(): never {
  throw new Error('nothing to choose from');
}
