import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { figureOf, type Figure } from '../figure.ts';
import { startLoader, type Loader } from '../load/http-load.ts';
import { rate } from '../rate.ts';
import { sideCost } from '../side-cost.ts';
import { measureSide, warmUp, type LoadedSide } from '../sides/loaded-side.ts';
import { median, spreadOf } from '../statistics.ts';
import { machineOfEightCores } from './eight-cores.ts';
import { columns } from '../sides/event.ts';
import { events as bodies } from './events.ts';
import { Lab, measured, never, recordsPerObject, startRawIngest, type FilledSource, type RoleWork } from './lab.ts';
import type { RawWork } from './raw-clients.ts';
import { RawSide, type RawRequest, type RawStore } from './raw-side.ts';
import { readServersTime, serversBetween } from './servers-time.ts';

/** One role beside the drivers. */
export interface Pair {
  readonly own: RoleWork;
  readonly raw: RoleWork;
}

export const roles = ['ingest', 'map', 'stage', 'import'] as const;
export type Role = (typeof roles)[number];
export type RolesRound = Readonly<Record<Role, Pair>>;

/** Each role alone in a process of its own, on the same events one after the other, and the drivers doing the same work. */
export const rolesBench: Bench = {
  meaning: 'each role beside the drivers alone: rate, and processor time of an event by thread',
  usual: { rounds: 5, seconds: 3, events: 400_000 },
  run: async (options) => {
    const rounds = await measureRoles(options);
    return resultOf(rounds);
  },
};

const words: Readonly<Record<Role, { readonly own: string; readonly raw: string; readonly unit: string }>> = {
  ingest: {
    own: 'ingest: one event a request, acknowledged by Kafka',
    raw: 'a bare HTTP server that produces each body',
    unit: 'events',
  },
  map: { own: 'map: 6 columns of a JSON event', raw: 'consume and produce the same bytes', unit: 'events' },
  stage: {
    own: 'stage: outcomes to sealed slices in S3, gzip',
    raw: 'consume, and put gzip objects of as many rows',
    unit: 'rows',
  },
  import: {
    own: 'import: staged slices to PostgreSQL',
    raw: 'get the same objects, and `COPY` each',
    unit: 'rows',
  },
};

function resultOf(rounds: readonly RolesRound[]): BenchResult {
  const of = (role: Role, side: keyof Pair): readonly RoleWork[] => rounds.map((round) => round[role][side]);
  const costs = roles.flatMap((role) => [
    sideCost(role, of(role, 'own')),
    sideCost(`${role}: the drivers`, of(role, 'raw')),
  ]);
  return {
    figures: roles.flatMap((role) => figuresOf(role, rounds)),
    costs,
    notes: [machineOfEightCores(roles.map((role) => ({ role, unit: words[role].unit, rounds: of(role, 'own') })))],
  };
}

function figuresOf(role: Role, rounds: readonly RolesRound[]): readonly Figure[] {
  const { own, raw, unit } = words[role];
  const medianOf = (side: keyof Pair, what: 'perSecond' | 'microseconds'): number =>
    median(rounds.map((round) => round[role][side][what]));
  const ofServers = (side: keyof Pair): string =>
    median(rounds.map((round) => [...round[role][side].servers.values()].reduce((sum, time) => sum + time, 0))).toFixed(
      1,
    );
  return [
    figureOf(spreadOf(rounds.map((round) => round[role].own.perSecond / round[role].raw.perSecond)), {
      what: `${own}: rate, times that of the drivers`,
      floor: '0.5',
      goal: '0.9',
      sides: `${rate(medianOf('own', 'perSecond'), unit)} of ${rate(medianOf('raw', 'perSecond'), unit)} (${raw})`,
    }),
    figureOf(spreadOf(rounds.map((round) => round[role].own.microseconds / round[role].raw.microseconds)), {
      what: `${role}: processor time, times that of the drivers`,
      floor: '–',
      goal: '1.1',
      sides: `${medianOf('own', 'microseconds').toFixed(1)} µs of ${medianOf('raw', 'microseconds').toFixed(1)} µs; the servers meanwhile: ${ofServers('own')} µs of ${ofServers('raw')} µs`,
    }),
  ];
}

type RolesOptions = Pick<BenchOptions, 'rounds' | 'seconds' | 'connections' | 'events' | 'tell'>;

async function measureRoles(options: RolesOptions): Promise<readonly RolesRound[]> {
  await using bench = await RolesBench.open(options);
  const rounds: RolesRound[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    options.tell(`round ${round + 1} of ${options.rounds}`);
    rounds.push(await bench.round());
  }
  return rounds;
}

interface RolesParts {
  readonly lab: Lab;
  readonly options: RolesOptions;
  readonly raw: RawSide;
  readonly loader: Loader;
  readonly ingest: Readonly<Record<keyof Pair, LoadedSide>>;
  readonly stack: AsyncDisposableStack;
}

/** All sides, warm. */
class RolesBench implements AsyncDisposable {
  readonly lab: Lab;
  readonly #stack: AsyncDisposableStack;
  readonly #options: RolesOptions;
  readonly #raw: RawSide;
  readonly #loader: Loader;
  readonly #ingest: Readonly<Record<keyof Pair, LoadedSide>>;
  #rounds = 0;

  private constructor({ lab, options, raw, loader, ingest, stack }: RolesParts) {
    this.lab = lab;
    this.#options = options;
    this.#raw = raw;
    this.#loader = loader;
    this.#ingest = ingest;
    this.#stack = stack;
  }

  static async open(options: RolesOptions): Promise<RolesBench> {
    await using stack = new AsyncDisposableStack();
    const lab = stack.use(await Lab.open());
    const raw = stack.use(await RawSide.start());
    const loader = stack.use(startLoader());
    const ingest = {
      own: stack.use(await lab.ingest('accepted')),
      raw: stack.use(await startRawIngest(lab, 'raw.accepted')),
    };
    const bench = new RolesBench({ lab, options, raw, loader, ingest, stack: stack.move() });
    options.tell('warming up');
    const load = bench.#load();
    for (const side of Object.values(ingest)) await warmUp(side, loader, load);
    await bench.#behindIngest(Math.min(options.events, 100_000));
    return bench;
  }

  async round(): Promise<RolesRound> {
    const ingest = await this.#turns({
      own: () => this.#accept('own'),
      raw: () => this.#accept('raw'),
    });
    return { ingest, ...(await this.#behindIngest(this.#options.events)) };
  }

  /** Each second round goes backwards. */
  async #turns(sides: Readonly<Record<keyof Pair, () => Promise<RoleWork>>>): Promise<Pair> {
    const found: Partial<Record<keyof Pair, RoleWork>> = {};
    const order = this.#rounds % 2 === 0 ? (['own', 'raw'] as const) : (['raw', 'own'] as const);
    for (const side of order) found[side] = await sides[side]();
    return found as Pair;
  }

  #load() {
    const { seconds, connections } = this.#options;
    return { seconds, connections, body: Buffer.alloc(0), bodies };
  }

  async #accept(side: keyof Pair): Promise<RoleWork> {
    const before = await readServersTime();
    const work = await measureSide(this.#ingest[side], this.#loader, this.#load());
    const servers = serversBetween(before, await readServersTime());
    return { ...work, servers: new Map([...servers].map(([server, time]) => [server, time / work.events])) };
  }

  async #behindIngest(events: number): Promise<Omit<RolesRound, 'ingest'>> {
    this.#rounds += 1;
    const filled = await this.lab.filled(`round${this.#rounds}`, events);
    const map = await this.#map(filled, events);
    const stage = await this.#stage(filled, events);
    const imported = await this.#import(filled, events);
    await filled.shop.api.task('DELETE', filled.shop.path);
    return { map, stage, import: imported };
  }

  async #map({ source, sinkTopic }: FilledSource, count: number): Promise<Pair> {
    const role = await this.lab.role('map');
    const to = `raw.mapped${this.#rounds}`;
    await this.lab.log.createTopic({ name: to, partitions: 1 }, never);
    const { brokers } = this.lab.cluster;
    return await this.#turns({
      own: () => role.measure(count, async () => ({ done: await this.lab.endOf(sinkTopic) })),
      raw: () => this.#drivers(count, { kind: 'map', brokers, topic: source, to, count }),
    });
  }

  /** The drivers first: the product removes what it has staged from the topic. */
  async #stage({ sinkTopic, shop }: FilledSource, count: number): Promise<Pair> {
    const role = await this.lab.role('stage');
    const { brokers } = this.lab.cluster;
    const request = { kind: 'stage', brokers, topic: sinkTopic, count, recordsPerObject, s3: this.#store } as const;
    const raw = await this.#drivers(count, request);
    const own = await role.measure(count, async () => ({ done: (await shop.progress('rows')).totals.staged }));
    return { own, raw };
  }

  async #import({ shop }: FilledSource, events: number): Promise<Pair> {
    const role = await this.lab.role('import');
    const { cluster } = this.lab;
    const { incarnation } = await shop.progress('rows');
    const url = String(cluster.secrets['TABLES_URL']);
    const names = columns.map(({ name }) => name);
    const prefix = `${cluster.prefix}${incarnation}/`;
    return await this.#turns({
      own: () =>
        role.measure(events, async () => {
          const { totals, staged } = await shop.progress('rows');
          return { done: totals.imported, isBegun: staged.slices === 0 };
        }),
      raw: () => this.#drivers(events, { kind: 'import', url, columns: names, prefix, events, s3: this.#store }),
    });
  }

  async #drivers(events: number, request: RawRequest): Promise<RoleWork> {
    return await measured(this.#raw.pid, events, (): Promise<RawWork> => this.#raw.run(request));
  }

  get #store(): RawStore {
    const { endpoint, region, bucket, credentials } = this.lab.cluster.s3;
    const accessKeyId = credentials?.accessKeyId ?? '';
    const secretAccessKey = credentials?.secretAccessKey.reveal() ?? '';
    return { endpoint: endpoint ?? '', region, bucket, accessKeyId, secretAccessKey };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
