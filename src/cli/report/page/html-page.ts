import type { ReportShape } from '../report-client.ts';
import { changeText, numberText, samplesText, shownNumbers, type Numbers, type SinkFacts } from '../report-facts.ts';
import { chart, chartStyle } from './chart.ts';
import { escaped } from './escaped.ts';
import { howCounted } from './how-counted.ts';
import { pageFacts } from './page-facts.ts';

const style = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--faint:#57606a;--rule:#d0d7de;--well:#1a7f37;--bad:#cf222e}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--faint:#9198a1;--rule:#30363d;--well:#3fb950;--bad:#f85149}}
body{margin:0 auto;padding:2rem 1rem;max-width:70rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
.verdict{padding:.75rem 1rem;border-left:.4rem solid var(--bad);font-size:1.15rem;font-weight:600}
.verdict.well{border-color:var(--well)}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
th{color:var(--faint);font-weight:600}
.missing{color:var(--bad);font-weight:600}
.about td{white-space:normal;text-align:left}
.chart{width:100%;height:auto;color:var(--faint)}
.key{color:var(--faint)}
section.sink{break-inside:avoid}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--faint:#444;--rule:#999}body{max-width:none;padding:0;font-size:11px}.wide{overflow:visible}}
${chartStyle}`;

/** A report as one page of HTML: no script, nothing from elsewhere, for the screen in light and dark and for paper. */
export function htmlPage(report: ReportShape): string {
  const { facts, charted, withoutChart, about } = pageFacts(report);
  const { since, at, verdict, well, stepSeconds } = report;
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Did everything arrive? ${escaped(at)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    '<h1>Did everything arrive?</h1>',
    `<p class="verdict${well ? ' well' : ''}">${escaped(verdict)}</p>`,
    '<h2>This report</h2>',
    '<table class="about"><tbody>',
    ...about.map(([label, value]) => `<tr><th scope="row">${escaped(label)}</th><td>${escaped(value)}</td></tr>`),
    '</tbody></table>',
    '<h2>Sources</h2>',
    table(
      ['source', 'accepted'],
      report.sources.map(({ sourceId, accepted }) => [sourceId, numberText(accepted)]),
    ),
    '<h2>Sinks, since they exist</h2>',
    numberTable(facts, ({ sink }) => sink, numberText),
    '<h2>Sinks, from the first sample of this time until now</h2>',
    numberTable(facts, ({ change }) => change, changeText),
    '<h2>As it was</h2>',
    '<p class="key">Blue: accepted. Green: settled, that is imported, filtered, dead, lost or given up. Between them: on its way. Grey: no sample. Red: something was missing. Times are UTC.</p>',
    ...facts.map((one, index) => {
      const time = { from: since, to: at, id: `chart-${index}` };
      return sinkSection(one, { stepSeconds, chart: charted.has(one) ? chartOf(one, time) : undefined });
    }),
    ...(withoutChart === 0 ? [] : [`<p>${withoutChart} more sinks have no chart here.</p>`]),
    '<h2>What was counted, and how</h2>',
    ...howCounted.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function chartOf(
  { name, sink }: SinkFacts,
  time: { readonly from: string; readonly to: string; readonly id: string },
): string {
  return chart({ ...time, title: `${name}: accepted, and settled`, sink, alone: false });
}

function sinkSection(
  facts: SinkFacts,
  { stepSeconds, chart: drawn }: { readonly stepSeconds: number; readonly chart: string | undefined },
): string {
  const rows = facts.some.map((sample) => [sample.at, ...shownNumbers.map(({ field }) => numberText(sample[field]))]);
  return [
    '<section class="sink">',
    `<h3>${escaped(facts.name)}</h3>`,
    `<p>${escaped(samplesText(facts, stepSeconds))}.</p>`,
    ...(drawn === undefined ? [] : [drawn]),
    ...(rows.length === 0
      ? []
      : ['<details><summary>Some of the samples</summary>', table(['sample', ...titles], rows), '</details>']),
    '</section>',
  ].join('\n');
}

const titles = shownNumbers.map(({ title }) => title);

function numberTable(
  facts: readonly SinkFacts[],
  of: (facts: SinkFacts) => Numbers | undefined,
  text: (number: number | null) => string,
): string {
  const rows = facts.flatMap((one) => {
    const numbers = of(one);
    return numbers === undefined ? [] : [[one.name, ...shownNumbers.map(({ field }) => text(numbers[field]))]];
  });
  return table(['sink', ...titles], rows);
}

/** The first cell of a row is its head; the last one, what is missing, stands out unless it is 0. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isMissing = (index: number, text: string): boolean => head[index] === 'missing' && text !== '0';
  return [
    '<div class="wide"><table>',
    `<thead><tr>${head.map((title) => `<th scope="col">${escaped(title)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map(([name = '', ...cells]) => {
      const shown = cells.map((text, index) =>
        isMissing(index + 1, text) ? `<td class="missing">${escaped(text)}</td>` : `<td>${escaped(text)}</td>`,
      );
      return `<tr><th scope="row">${escaped(name)}</th>${shown.join('')}</tr>`;
    }),
    '</tbody></table></div>',
  ].join('\n');
}
