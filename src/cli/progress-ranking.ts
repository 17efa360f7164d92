import { Option } from 'commander';
import type { RankedBy, RankingShape } from './api-shapes.ts';
import { printTable } from './print.ts';
import type { Terminal } from './terminal.ts';

/** What sinks are ordered by, and what their numbers are called on a terminal. */
const heads: Readonly<Record<RankedBy, string>> = {
  lagEvents: 'lag',
  lagSeconds: 'lag, s',
  stagedEvents: 'staged',
  parkedEvents: 'parked',
  deadLetters: 'dead',
  holes: 'holes',
  givenUp: 'given up',
  difference: 'missing',
};

export const rankedBy = Object.keys(heads) as readonly RankedBy[];

export function byOption(): Option {
  return new Option('--by <number>', 'the sinks with most of it, as they were some seconds ago').choices(rankedBy);
}

export function printRanking(terminal: Terminal, { by, page, sinks }: RankingShape): void {
  printTable(terminal, {
    head: ['sink', ...rankedBy.map((name) => heads[name])],
    rows: sinks.map((one) => [`${one.sourceId}/${one.sinkId}`, ...rankedBy.map((name) => shown(one[name]))]),
    cut: 'sink',
    empty: `No sink has anything of "${by}".`,
  });
  const more = page.totalCount - page.offset - sinks.length;
  if (terminal.human && more > 0) terminal.stdout.write(`and ${more} more\n`);
}

function shown(value: number): string {
  return String(Math.round(value));
}
