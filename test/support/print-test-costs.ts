/** Sums up what `MILLRACE_TEST_COSTS=FILE npm test` wrote, as the table of docs/tests.md and the costliest files: give it the FILE. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { CostOfFile } from './cost-of-file.ts';

const cost: z.ZodType<CostOfFile> = z.object({ file: z.string(), seconds: z.number(), cpuSeconds: z.number() });

const [path = ''] = process.argv.slice(2);
const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
const costs = lines.map((line) => cost.parse(JSON.parse(line)));
const parts = Map.groupBy(costs, ({ file }) => partOf(file));
const rows = [...parts]
  .map(([part, files]) => ({ part, ...sumOf(files) }))
  .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds);
console.log('| part | files | processor time, s | waited besides, s |\n| --- | ---: | ---: | ---: |');
for (const { part, files, seconds, cpuSeconds } of [...rows, { part: 'all', ...sumOf(costs) }])
  console.log(`| ${part} | ${files} | ${Math.round(cpuSeconds)} | ${Math.max(0, Math.round(seconds - cpuSeconds))} |`);
console.log('\nThe costliest files, processor time and time in all:');
for (const { file, seconds, cpuSeconds } of costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, 25))
  console.log(`${cpuSeconds.toFixed(1).padStart(8)} ${seconds.toFixed(1).padStart(8)} s  ${file}`);

/** The kind of server, or the folder, that makes tests alike in what they take. */
function partOf(file: string): string {
  const server = /\.(kafka|mongo|postgres|registry|s3)\.test\.ts$/.exec(file)?.[1];
  if (server !== undefined) return `tests with ${server}`;
  const [top = '', room = ''] = file.split('/');
  return top === 'src' ? `src/${room}` : `test/${room}`;
}

function sumOf(files: readonly CostOfFile[]): {
  readonly files: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
} {
  const sum = (of: (one: CostOfFile) => number): number => files.reduce((total, one) => total + of(one), 0);
  return {
    files: files.length,
    seconds: sum(({ seconds }) => seconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
  };
}
