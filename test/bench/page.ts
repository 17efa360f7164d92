import Table from 'cli-table3';
import type { BenchResult } from './bench.ts';
import { numberText, type Curve } from './curve.ts';
import { rate } from './rate.ts';
import type { SideCost } from './side-cost.ts';
import { spreadText } from './statistics.ts';

/** What a bench found, and on what. */
export interface NamedResult {
  readonly name: string;
  readonly result: BenchResult;
  readonly machine: string;
}

const figureHead = ['what', 'measured', 'floor', 'goal', 'sides'];
const costHead = ['side', 'processor time of an event', 'by thread', 'in the system', 'rate', 'loader'];

function figureRows({ figures }: BenchResult): readonly (readonly string[])[] {
  return figures.map(({ what, measured, floor, goal, sides }) => [what, measured, floor, goal, sides]);
}

function costRow({
  side,
  microseconds,
  threads,
  systemMicroseconds,
  perSecond,
  loaderShare,
}: SideCost): readonly string[] {
  // What rounds to nothing says nothing.
  const told = threads.filter((thread) => thread.microseconds >= 0.05);
  return [
    side,
    `${spreadText(microseconds, 1)} µs`,
    told.map((thread) => `${thread.part} ${thread.microseconds.toFixed(1)}`).join(', '),
    `${systemMicroseconds.toFixed(1)} µs`,
    rate(perSecond.median, 'events'),
    loaderShare > 0 ? `${(loaderShare * 100).toFixed(0)} %` : '–',
  ];
}

/** The numbers of a curve: a column for each of its points. */
function curveHead({ along, lines }: Curve): readonly string[] {
  return [along, ...(lines[0]?.points.map(({ at }) => numberText(at)) ?? [])];
}

function curveRows({ shows, lines }: Curve): readonly (readonly string[])[] {
  return lines.map(({ name, points }) => [
    lines.length > 1 ? name : shows,
    ...points.map(({ spread }) => numberText(spread.median)),
  ]);
}

/** For a terminal. */
export function tableOf({ name, result, machine }: NamedResult): string {
  const tables = result.figures.length === 0 ? [] : [textTable(figureHead, figureRows(result))];
  if (result.costs !== undefined) tables.push(textTable(costHead, result.costs.map(costRow)));
  for (const curve of result.curves ?? [])
    tables.push(`${curve.title}: ${curve.shows}`, textTable(curveHead(curve), curveRows(curve)));
  return [`${name}. ${machine}`, ...tables, ...(result.notes ?? [])].join('\n');
}

function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}

const beginOf = (name: string): string => `<!-- bench ${name} -->`;
const endOf = (name: string): string => `<!-- end of ${name} -->`;

/** For docs/benchmarks.md. */
export function blockOf({ name, result, machine }: NamedResult): string {
  const tables = result.figures.length === 0 ? [] : [markdownTable(figureHead, figureRows(result))];
  if (result.costs !== undefined) tables.push(markdownTable(costHead, result.costs.map(costRow)));
  for (const curve of result.curves ?? [])
    tables.push(
      `![${curve.title}: ${curve.shows}](pictures/${curve.name}.svg)`,
      markdownTable(curveHead(curve), curveRows(curve)),
    );
  return [beginOf(name), machine, ...tables, ...(result.notes ?? []), endOf(name)].join('\n\n');
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The page with what was measured now; what it says beside that stays. Throws when the page has no place for it. */
export function withBlock(page: string, result: NamedResult): string {
  const [begin, end] = [page.indexOf(beginOf(result.name)), page.indexOf(endOf(result.name))];
  if (begin < 0 || end < begin) throw new Error(`the page has no place "${beginOf(result.name)}"`);
  return page.slice(0, begin) + blockOf(result) + page.slice(end + endOf(result.name).length);
}
