import type { ReportShape } from '../report-client.ts';
import { factsOf, lengthOf, lengthText, type SinkFacts } from '../report-facts.ts';

/** More charts would make a page that nobody looks through; their numbers are all there. */
const mostCharts = 50;

/** What both kinds of pages say, and in which order. */
export interface PageFacts {
  readonly facts: readonly SinkFacts[];
  /** Those with a chart: something missing first, then what has most on its way. */
  readonly charted: ReadonlySet<SinkFacts>;
  readonly withoutChart: number;
  /** Label and value. */
  readonly about: readonly (readonly [label: string, value: string])[];
}

export function pageFacts(report: ReportShape): PageFacts {
  const facts = factsOf(report);
  const shown = facts.filter(({ sink }) => sink.samples.length > 0);
  const charted = new Set(shown.toSorted((a, b) => weightOf(b) - weightOf(a)).slice(0, mostCharts));
  const { gaps, clockJumps } = report;
  const jumps = clockJumps.map(({ at, bySeconds }) => `at ${at}, by ${bySeconds} s`).join('; ');
  return {
    facts,
    charted,
    withoutChart: shown.length - charted.size,
    about: [
      ['Project and branch', `${report.projectId}, ${report.branchId}`],
      ['Counted at', report.at],
      ['Samples from', report.since],
      ['Samples each', lengthText(report.stepSeconds * 1000)],
      [
        'Without samples',
        gaps.length === 0
          ? 'no time'
          : `${lengthText(lengthOf(gaps))}: ${gaps.slice(0, 20).map(gapText).join('; ')}${gaps.length > 20 ? `; and ${gaps.length - 20} more` : ''}`,
      ],
      ['Clock set', jumps === '' ? 'never' : jumps],
    ],
  };
}

function gapText({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} to ${to}`;
}

function weightOf({ sink, different }: SinkFacts): number {
  const isMissing = different > 0 || sink.difference !== 0;
  return (isMissing ? Number.MAX_SAFE_INTEGER : 0) + sink.staged + (sink.inFlight ?? 0);
}
