import { boundsOf, processesOf, rate, type Bound } from './bounds.ts';
import type { Costs, Target } from './costs.ts';
import { simulate } from './simulate.ts';

export const begin = '<!-- scale: made by `node test/bench/scale/run.ts --write` -->';
export const end = '<!-- end of scale -->';

/** The tables of `docs/scale.md`. */
export function scaleTables(target: Target, costs: Costs): string {
  const traffic = simulate(target, costs);
  const processes = processesOf(traffic, costs);
  const all = Object.values(processes).reduce((sum, count) => sum + count, 0);
  const asked = [
    ['events', `${rate(traffic.events)}/s`],
    ['outcomes, rows', `${rate(traffic.outcomes)}/s`],
    ['partitions', rate(traffic.partitions)],
    ['slices, objects in staging', `${rate(traffic.slices)}/s`],
    ['imports', `${rate(traffic.imports)}/s`],
    [
      'processes',
      `${all}: ${Object.entries(processes)
        .map(([role, count]) => `${role} ${count}`)
        .join(', ')}`,
    ],
  ];
  const row = ({ what, one, asked: load, share, change, ready }: Bound): readonly string[] => [
    what,
    one,
    load,
    share === undefined ? '–' : percent(share),
    change,
    ready,
  ];
  const head = ['bound', 'one of it', 'the target asks for', 'reached at', 'what moves it', 'ready'];
  return `${table(['what happens', 'at the target'], asked)}\n${table(head, boundsOf(target, costs).map(row))}`;
}

function percent(share: number): string {
  if (share >= 1) return 'not reached';
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** In Markdown, padded as the formatter of this repository does it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line), ''].join('\n');
}
