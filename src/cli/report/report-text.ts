import { tableText, type Cell, type Reader } from '../print.ts';
import type { ReportShape } from './report-client.ts';
import { factsOf, lengthOf, lengthText, samplesText, shownNumbers } from './report-facts.ts';

/** What a person sees first: the verdict, a line a sink, and how complete the samples are. */
export function reportText(report: ReportShape, reader: Reader): string {
  const facts = factsOf(report);
  const rows = facts.map(({ name, sink }): readonly Cell[] => [
    name,
    ...shownNumbers.map(({ field }) => sink[field] ?? '?'),
  ]);
  const head = ['sink', ...shownNumbers.map(({ title }) => title)];
  const table = facts.length === 0 ? [] : [tableText({ head, rows, empty: '' }, reader)];
  const samples = facts.map((one) => `${one.name}: ${samplesText(one, report.stepSeconds)}`);
  return [report.verdict, ...table, ...samples, ...troubleLines(report)].join('\n');
}

function troubleLines({ gaps, clockJumps }: ReportShape): readonly string[] {
  const jumps = clockJumps.map(({ at, bySeconds }) => `the clock was set at ${at}, by ${bySeconds} s`);
  if (gaps.length === 0) return jumps;
  const last = gaps.at(-1);
  const where = last === undefined ? '' : `, the last from ${last.from} to ${last.to}`;
  return [`nothing was sampled for ${lengthText(lengthOf(gaps))}${where}`, ...jumps];
}
