import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KafkaCompression } from '../../../src/adapters/kafka/config.ts';
import { openKafkaEventLog } from '../../../src/adapters/kafka/event-log.ts';
import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { figureOf, type Figure } from '../figure.ts';
import { startLoader, type Loader } from '../load/http-load.ts';
import { inTurns } from '../rounds.ts';
import { sideCost } from '../side-cost.ts';
import { measureSide, warmUp, type LoadedSide } from '../sides/loaded-side.ts';
import { spreadOf } from '../statistics.ts';
import { events as bodies } from './events.ts';
import { Lab, type RoleWork } from './lab.ts';
import { readServersTime, serversBetween } from './servers-time.ts';

const codecs = ['none', 'snappy', 'lz4', 'zstd', 'gzip'] as const satisfies readonly KafkaCompression[];
type Codec = (typeof codecs)[number];

interface Compressed {
  readonly ingest: RoleWork;
  /** Which reads what is compressed, and writes as it is. */
  readonly map: RoleWork;
  /** Of an event in the log of its source. */
  readonly bytes: number;
}

type Round = Readonly<Record<Codec, Compressed>>;

/** A process of ingest for each codec, and one of map that reads all of them. */
export const compressionBench: Bench = {
  meaning: 'batches to Kafka in each codec: bytes, and processor time of who writes and who reads',
  usual: { rounds: 5, seconds: 2, events: 40_000 },
  run: benchCompression,
};

async function benchCompression(options: BenchOptions): Promise<BenchResult> {
  await using lab = await Lab.open();
  await using loader = startLoader();
  await using stack = new AsyncDisposableStack();
  const sides = new Map<Codec, LoadedSide>();
  for (const codec of codecs) {
    const env = { MILLRACE_TOPOLOGY: await topologyWith(lab, codec) };
    const side = stack.use(await lab.ingest(`in-${codec}`, { env }));
    await warmUp(side, loader, loadOf(options));
    sides.set(codec, side);
  }
  let made = 0;
  const measure = async (codec: Codec): Promise<Compressed> => {
    const side = sides.get(codec);
    if (side === undefined) throw new Error(`there is no side of ${codec}`);
    made += 1;
    const ingested = await ingest({ lab, loader }, { codec, side, options });
    return { ...ingested, map: await map(lab, { codec, sourceId: `round${made}`, events: options.events }) };
  };
  await map(lab, { codec: 'zstd', sourceId: 'warm', events: options.events });
  const rounds = await inTurns<Round>(
    options,
    Object.fromEntries(codecs.map((codec) => [codec, async () => ({ [codec]: await measure(codec) })])),
  );
  return {
    figures: codecs.filter((codec) => codec !== 'none').flatMap((codec) => figuresOf(codec, rounds)),
    costs: codecs.flatMap((codec) => [
      sideCost(
        `ingest writes ${codec}`,
        rounds.map((round) => round[codec].ingest),
      ),
      sideCost(
        `map reads ${codec}`,
        rounds.map((round) => round[codec].map),
      ),
    ]),
  };
}

function figuresOf(codec: Codec, rounds: readonly Round[]): readonly Figure[] {
  const medianOf = (of: (round: Round) => number): number => spreadOf(rounds.map(of)).median;
  const kafka = (name: Codec): string => medianOf((round) => round[name].ingest.servers.get('Kafka') ?? 0).toFixed(1);
  const none = { floor: '–', goal: '–' };
  return [
    figureOf(spreadOf(rounds.map((round) => round[codec].bytes / round.none.bytes)), {
      ...none,
      what: `${codec}: bytes of an event in the log, times those as they are`,
      sides: `${medianOf((round) => round[codec].bytes).toFixed(0)} B of ${medianOf((round) => round.none.bytes).toFixed(0)} B`,
    }),
    figureOf(spreadOf(rounds.map((round) => round[codec].ingest.microseconds - round.none.ingest.microseconds)), {
      ...none,
      unit: ' µs',
      digits: 1,
      what: `${codec}: processor time of an event more, for ingest`,
      sides: `Kafka itself: ${kafka(codec)} µs of ${kafka('none')} µs`,
    }),
    figureOf(spreadOf(rounds.map((round) => round[codec].map.microseconds - round.none.map.microseconds)), {
      ...none,
      unit: ' µs',
      digits: 1,
      what: `${codec}: processor time of an event more, for map, which reads it`,
      sides: `${medianOf((round) => round[codec].map.microseconds).toFixed(1)} µs of ${medianOf((round) => round.none.map.microseconds).toFixed(1)} µs`,
    }),
  ];
}

function loadOf({ connections, seconds }: Pick<BenchOptions, 'connections' | 'seconds'>) {
  return { connections, seconds, body: Buffer.alloc(0), bodies };
}

/** The topology of the lab with another codec. */
async function topologyWith(lab: Lab, compression: Codec): Promise<string> {
  const topology = JSON.parse(await readFile(lab.cluster.topology, 'utf8')) as { readonly log: object };
  const path = join(dirname(lab.cluster.topology), `${compression}.yaml`);
  await writeFile(path, JSON.stringify({ ...topology, log: { ...topology.log, compression } }));
  return path;
}

async function ingest(
  { lab, loader }: { readonly lab: Lab; readonly loader: Loader },
  { codec, side, options }: { readonly codec: Codec; readonly side: LoadedSide; readonly options: BenchOptions },
): Promise<Pick<Compressed, 'ingest' | 'bytes'>> {
  const topic = `source.1.in-${codec}`;
  const [bytes, end, servers] = [await lab.bytesOf(topic), await lab.endOf(topic), await readServersTime()];
  const work = await measureSide(side, loader, loadOf(options));
  const used = serversBetween(servers, await readServersTime());
  return {
    ingest: { ...work, servers: new Map([...used].map(([server, time]) => [server, time / work.events])) },
    bytes: ((await lab.bytesOf(topic)) - bytes) / ((await lab.endOf(topic)) - end),
  };
}

async function map(
  lab: Lab,
  { codec, sourceId, events }: { readonly codec: Codec; readonly sourceId: string; readonly events: number },
): Promise<RoleWork> {
  await using log = openKafkaEventLog({
    brokers: lab.cluster.brokers.split(','),
    clientId: 'bench',
    compression: codec,
  });
  const filled = await lab.filled(sourceId, events, { log });
  const role = await lab.role('map');
  const work = await role.measure(events, async () => ({ done: await lab.endOf(filled.sinkTopic) }));
  await filled.shop.api.task('DELETE', filled.shop.path);
  return work;
}
