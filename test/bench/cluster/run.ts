/**
 * `npm run bench:cluster`: roles of a cluster on real servers, beside the drivers alone, in one run; `--write` puts it into
 * docs/benchmarks-cluster.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { scriptArguments } from '../../support/script-options.ts';
import type { Bench } from '../bench.ts';
import { machine } from '../machine.ts';
import { tableOf, withBlock } from '../page.ts';
import { clusterBenches, isClusterBenchName, type ClusterBenchName } from './registry.ts';

const list = Object.entries(clusterBenches).map(([name, { meaning }]) => `  ${name.padEnd(16)}${meaning}`);
const help = `npm run bench:cluster -- [NAME…] [options]

Measures roles of a cluster on Kafka, S3 and PostgreSQL, which it starts or finds; without a name all of these:

${list.join('\n')}

  --rounds N       how often each side is measured; medians and quartiles are shown
  --seconds N      how long a side is loaded in a round, where it is loaded
  --events N       how many events the roles behind ingest are measured with in a round
  --connections N  of the loader, one request in flight on each (64)
  --short          one round of few events: says whether it works, not how fast
  --write          writes docs/benchmarks-cluster.md`;

const { values, names } = scriptArguments(
  help,
  {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    events: { type: 'string' },
    connections: { type: 'string' },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  isClusterBenchName,
);
const short = values.short ? { rounds: 1, seconds: 1, events: 20_000 } : {};
const tell = (progress: string): void => console.error(progress);
const page = new URL('../../../docs/benchmarks-cluster.md', import.meta.url);
const all = Object.keys(clusterBenches) as ClusterBenchName[];

for (const name of names.length === 0 ? all : names) {
  const { usual, run }: Bench = clusterBenches[name];
  const result = await run({
    rounds: number('rounds', short.rounds ?? usual.rounds ?? 5),
    seconds: number('seconds', short.seconds ?? usual.seconds ?? 3),
    events: number('events', short.events ?? usual.events ?? 100_000),
    connections: number('connections', 64),
    sources: 0,
    profile: undefined,
    tell,
  });
  const named = { name, result, machine: await machine(tmpdir()) };
  console.log(tableOf(named));
  if (values.write) await writeFile(page, withBlock(await readFile(page, 'utf8'), named));
}

function number(option: 'rounds' | 'seconds' | 'events' | 'connections', fallback: number): number {
  const value = Number(values[option] ?? fallback);
  if (!(value > 0)) throw new Error(`--${option} must be a number above 0`);
  return value;
}
