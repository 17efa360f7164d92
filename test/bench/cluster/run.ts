/**
 * `npm run bench:cluster`: each role of a cluster beside the raw drivers, in one run; `--write` puts it into
 * docs/benchmarks-cluster.md.
 */
import Table from 'cli-table3';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { scriptOptions } from '../../support/script-options.ts';
import type { Figure } from '../figure.ts';
import { machine } from '../machine.ts';
import { rate } from '../rate.ts';
import { benchCluster, type Rate } from './cluster.bench.ts';

const help = `npm run bench:cluster -- [--short] [--write]

Measures each role of a cluster beside the drivers alone, on Kafka, S3 and PostgreSQL, which it starts or finds.

  --short  a tenth of everything: says whether it works, not how fast
  --write  writes docs/benchmarks-cluster.md`;

const values = scriptOptions(help, {
  write: { type: 'boolean', default: false },
  short: { type: 'boolean', default: false },
});
const part = values.short ? 0.1 : 1;
const events = 500_000 * part;
const {
  accept,
  map,
  stage,
  import: imported,
  twoMaps,
} = await benchCluster({ connections: 64, durationMs: 10_000 * part, events });

type Row = Omit<Figure, 'goal'>;

const rows: readonly Row[] = [
  beside(accept, {
    what: 'ingest: one 1 KB event a request, acknowledged by Kafka',
    raw: 'a bare HTTP server that produces each body',
    unit: 'events',
  }),
  beside(map, {
    what: 'map: 6 columns of a 1 KB JSON event',
    raw: 'consume and produce the same bytes',
    unit: 'events',
  }),
  beside(stage, {
    what: 'stage: outcomes to sealed slices in S3',
    raw: 'consume, and put objects of as many rows',
    unit: 'rows',
  }),
  beside(imported, {
    what: 'import: staged slices to PostgreSQL',
    raw: 'get the same objects, and `COPY` each',
    unit: 'rows',
  }),
  {
    what: 'two map processes on two partitions, against one',
    measured: (twoMaps.two / twoMaps.one).toFixed(2),
    floor: '–',
    sides: `${rate(twoMaps.two, 'events')} of ${rate(twoMaps.one, 'events')}`,
  },
];
const table = new Table({ head: ['what', 'measured', 'floor', 'sides'] });
for (const { what, measured, floor, sides } of rows) table.push([what, measured, floor, sides]);
console.log(table.toString());
if (values.write) await writeFile(new URL('../../../docs/benchmarks-cluster.md', import.meta.url), await page());

function beside(
  { own, raw }: Rate,
  words: { readonly what: string; readonly raw: string; readonly unit: string },
): Row {
  return {
    what: words.what,
    measured: (own / raw).toFixed(2),
    floor: '0.5',
    sides: `${rate(own, words.unit)} of ${rate(raw, words.unit)} (${words.raw})`,
  };
}

async function page(): Promise<string> {
  const lines = rows.map(({ what, measured, floor, sides }) => `| ${what} | ${measured} | ${floor} | ${sides} |`);
  return `# Benchmarks of a cluster

Made by \`npm run bench:cluster -- --write\`: Kafka, S3 and PostgreSQL are real servers, and each role runs alone in a process of its own
on ${events.toLocaleString('en')} events, beside a program of a few lines on the drivers that does the same work. Everything shares the machine, the
servers too, so the ratios say more than the rates.

${await machine(tmpdir())}

| what | measured | floor | sides |
|---|---|---|---|
${lines.join('\n')}

- The raw server of the first row sends one produce request for each event, as one would write it; ingest sends what arrives
  together in one.
- Roles are timed from the moment that the process is ready to the last event, so that joining the consumer group counts.
- Two map processes share the processors of this machine with Kafka: the row does not show what the second brings on a machine of
  its own.
`;
}
