import type { ReportShape, SourceReportShape } from '../report-client.ts';
import { changeText, numberText, samplesText, shownNumbers, type Numbers, type SinkFacts } from '../report-facts.ts';
import { chart } from './chart.ts';
import { howCounted } from './how-counted.ts';
import { pageFacts } from './page-facts.ts';

/** A report as Markdown with tables; the charts are images in it. */
export function markdownPage(report: ReportShape): string {
  const { facts, charted, withoutChart, about } = pageFacts(report);
  const { since, at } = report;
  return [
    '# Did everything arrive?',
    '',
    `**${report.verdict}**`,
    '',
    ...table(['report', ''], about),
    '',
    '## Sources',
    '',
    ...table(['source', 'accepted'], report.sources.map(sourceRow), 'lr'),
    '',
    '## Sinks, since they exist',
    '',
    ...numberTable(facts, ({ sink }) => sink, numberText),
    '',
    '## Sinks, from the first sample of this time until now',
    '',
    ...numberTable(facts, ({ change }) => change, changeText),
    ...facts.flatMap((one, index) => [
      '',
      `### ${one.name}`,
      '',
      `${samplesText(one, report.stepSeconds)}.`,
      ...(charted.has(one) ? ['', imageOf(one, { from: since, to: at, id: `chart-${index}` })] : []),
      ...(one.some.length === 0 ? [] : ['', ...sampleTable(one)]),
    ]),
    '',
    ...(withoutChart === 0 ? [] : [`${withoutChart} more sinks have no chart here.`, '']),
    '## What was counted, and how',
    '',
    ...howCounted.flatMap((paragraph) => [paragraph, '']),
  ].join('\n');
}

function sourceRow({ sourceId, accepted }: SourceReportShape): readonly string[] {
  return [sourceId, numberText(accepted)];
}

function numberTable(
  facts: readonly SinkFacts[],
  of: (facts: SinkFacts) => Numbers | undefined,
  text: (number: number | null) => string,
): readonly string[] {
  const rows = facts.flatMap((one) => {
    const numbers = of(one);
    return numbers === undefined ? [] : [[one.name, ...shownNumbers.map(({ field }) => text(numbers[field]))]];
  });
  const head = ['sink', ...shownNumbers.map(({ title }) => title)];
  return table(head, rows, `l${'r'.repeat(shownNumbers.length)}`);
}

function sampleTable({ some }: SinkFacts): readonly string[] {
  const rows = some.map((sample) => [sample.at, ...shownNumbers.map(({ field }) => numberText(sample[field]))]);
  return table(['sample', ...shownNumbers.map(({ title }) => title)], rows, `l${'r'.repeat(shownNumbers.length)}`);
}

function imageOf(
  { name, sink }: SinkFacts,
  time: { readonly from: string; readonly to: string; readonly id: string },
): string {
  const title = `${name}: accepted, and settled`;
  const image = Buffer.from(chart({ ...time, title, sink, alone: true })).toString('base64');
  return `![${title}](data:image/svg+xml;base64,${image})`;
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align = 'l'.repeat(head.length),
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [
    line(head),
    `|${Array.from(align, (one) => (one === 'r' ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map(line),
  ];
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
