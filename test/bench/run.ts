/** `npm run bench`: every figure as a ratio of two sides measured in the same run; `--write` puts them into docs/benchmarks.md. */
import Table from 'cli-table3';
import { writeFile } from 'node:fs/promises';
import { scriptOptions } from '../support/script-options.ts';
import { benchDelivery } from './delivery.bench.ts';
import { figuresOf, type Figure, type Measured } from './figures.ts';
import { benchIdle } from './idle.bench.ts';
import { benchIngest } from './ingest.bench.ts';
import { machine } from './machine.ts';
import { benchMapping } from './mapping.bench.ts';
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
  pipeline: await step('accept to row', () => benchPipeline({ durationMs: 20_000 * part, connections: 64 })),
  delivery: await step('stage and import', () =>
    benchDelivery({ rows: 1_000_000 * part, rounds: values.short ? 1 : 3 }),
  ),
  start: await step('start', () => benchStart({ records: 1_000_000 * part })),
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
- Memory is what the process holds for itself (\`RssAnon\`). Pages of the log that it has read are the page cache's: they count as
  resident until somebody else needs the memory.
- "The table store's own load" is DuckDB alone reading the same files into an empty table, with the same thread and memory.
`;
}
