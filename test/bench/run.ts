/** `npm run bench`: every figure as a ratio of two sides measured in the same run; `--write` puts them into docs/benchmarks.md. */
import Table from 'cli-table3';
import { writeFile } from 'node:fs/promises';
import { scriptOptions } from '../support/script-options.ts';
import { benchDelivery } from './delivery.bench.ts';
import { benchExtract } from './extract.bench.ts';
import { figuresOf, type Figure, type Measured } from './figures.ts';
import { benchIdle } from './idle.bench.ts';
import { benchIngest } from './ingest.bench.ts';
import { machine } from './machine.ts';
import { benchMapping } from './mapping.bench.ts';
import { benchCollector } from './otlp-collector.bench.ts';
import { benchOtlp } from './otlp.bench.ts';
import { benchPipeline } from './pipeline.bench.ts';
import { benchStart } from './start.bench.ts';
import { benchTemplates } from './templates.bench.ts';

const help = `npm run bench -- [--short] [--write]

Measures one process: every figure as a ratio of two sides, in one run of about ten minutes.

  --short  a tenth of everything: says whether it works, not how fast
  --write  writes docs/benchmarks.md`;

const values = scriptOptions(help, {
  write: { type: 'boolean', default: false },
  short: { type: 'boolean', default: false },
});
const part = values.short ? 0.1 : 1;

async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  console.error(`measuring: ${name}`);
  return await work();
}

const measured: Measured = {
  ingest: await step('accept', () =>
    benchIngest({ rounds: values.short ? 1 : 3, durationMs: 4000 * part, connections: 64 }),
  ),
  mapping: await step('map', () => benchMapping()),
  templates: await step('templates', () => benchTemplates({ evaluations: 1_000_000 * part })),
  otlp: await step('OpenTelemetry', () => benchOtlp()),
  collector: await step('beside the Collector', () =>
    benchCollector({ rounds: values.short ? 1 : 3, durationMs: 5000 * part, connections: 16 }),
  ),
  pipeline: await step('accept to row', () => benchPipeline({ durationMs: 20_000 * part, connections: 64 })),
  delivery: await step('stage and import', () =>
    benchDelivery({ rows: 1_000_000 * part, rounds: values.short ? 1 : 3 }),
  ),
  start: await step('start', () => benchStart({ records: 1_000_000 * part })),
  extract: await step('extract', () => benchExtract({ items: 1_000_000 * part, rounds: values.short ? 1 : 3 })),
  idle: await step('idle sinks', () => benchIdle({ sources: 100 * part, sinksPerSource: 10, watchMs: 20_000 * part })),
};

const figures = figuresOf(measured);
const table = new Table({ head: ['what', 'measured', 'floor', 'goal', 'sides'] });
for (const { what, measured: value, floor, goal, sides } of figures) table.push([what, value, floor, goal, sides]);
console.log(table.toString());
if (values.write) await writeFile(new URL('../../docs/benchmarks.md', import.meta.url), await page(figures));

async function page(rows: readonly Figure[]): Promise<string> {
  const lines = rows.map(
    ({ what, measured: value, floor, goal, sides }) => `| ${what} | ${value} | ${floor} | ${goal} | ${sides} |`,
  );
  return `# Benchmarks

Made by \`npm run bench -- --write\`. Machines differ, so each figure is a ratio of two sides that were measured in the same run, and
both sides are shown.

${await machine()}

| what | measured | floor | goal | sides |
|---|---|---|---|---|
${lines.join('\n')}

- The load comes from a raw keep-alive client in a thread of the bench: 64 connections, one request in flight on each.
- "Accept to row" runs from the first request to the last row in the table, with everything on the same two cores: load, ingest,
  mapping, staging and import.
- Of OpenTelemetry a record is decoded and flattened into the bytes of its event. "Decoding alone" reads the same bytes with the same codec into
  objects with strings, without our checks of texts; for JSON it is JSON.parse. Rates are of processor time, on one thread, with requests of 1,000
  records whose resource has twelve attributes.
- Beside the OpenTelemetry Collector: the same requests in protobuf, not compressed, over 16 connections, to each side in turns. The product
  has a source of the preset \`otlp\` with three sinks: it flattens each record to an event, answers when the events are on the disk, and writes
  the 16 columns of a row into the table. The Collector (receiver \`otlp\`, processor \`batch\`, exporter \`otlphttp\` with its queue in memory) keeps
  nothing on the disk: it answers when the records are in memory, and writes the same bytes to a server that discards them. Its exporter
  compresses unless told otherwise. Time is user and system time of all threads, until the last row is in the table, or the last record is
  sent; rates run until then, too.
- The goal, a record for less processor time than the Collector takes, is not met, and not nearly: the two do not do the same. The Collector
  passes bytes on; the product stores a record, maps it, and loads it into a table. By threads, of one run on a busy machine: a third of its time is
  receiving, flattening and the log, a quarter the mapping of the 16 columns, a tenth staging, and the rest loading, files, and the engine's
  compiling and collecting.
- "Extract" is the command \`job run --out\` without its process: pages of 1,000 items of 250 bytes, from an API in a process of its own on the
  same two cores, until the files of the table are written. The other side asks for the same pages with \`fetch\` and parses them, and stores
  nothing.
- Memory is what the process holds for itself (\`RssAnon\`). Pages of the log that it has read are the page cache's: they count as
  resident until somebody else needs the memory.
- "The table store's own load" is DuckDB alone reading the same files into an empty table, with the same thread and memory.
`;
}
