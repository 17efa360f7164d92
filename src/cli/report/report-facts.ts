import type { ReportShape, SampleShape, SinkReportShape } from './report-client.ts';

/** Numbers of a sink in the order in which they are shown, each with its title. */
export const shownNumbers = [
  { field: 'accepted', title: 'accepted' },
  { field: 'imported', title: 'imported' },
  { field: 'staged', title: 'staged' },
  { field: 'inFlight', title: 'in flight' },
  { field: 'filtered', title: 'filtered' },
  { field: 'dead', title: 'dead' },
  { field: 'holes', title: 'holes' },
  { field: 'givenUp', title: 'given up' },
  { field: 'difference', title: 'missing' },
] as const satisfies readonly { readonly field: keyof SampleShape; readonly title: string }[];

export type NumberField = (typeof shownNumbers)[number]['field'];
export type Numbers = Readonly<Record<NumberField, number | null>>;

/** What a page says of a sink. */
export interface SinkFacts {
  readonly name: string;
  readonly sink: SinkReportShape;
  /** Now, less the first sample of the time; undefined when there is no sample. */
  readonly change: Numbers | undefined;
  readonly different: number;
  readonly missingMs: number;
  /** Some samples from the first to the last, evenly. */
  readonly some: readonly SampleShape[];
}

/** More would not be read on a page; all of them are in JSON. */
const shownSamples = 24;

/** What a page says of each sink, those of one source together. */
export function factsOf({ sources }: ReportShape): readonly SinkFacts[] {
  return sources.flatMap(({ sourceId, sinks }) =>
    sinks.map((sink) => {
      const [first] = sink.samples;
      return {
        name: `${sourceId}/${sink.sinkId}${sink.deleted ? ` (deleted, number ${sink.incarnation})` : ''}`,
        sink,
        change: first && changeOf(first, sink),
        different: sink.samples.filter(({ difference }) => difference !== 0).length,
        missingMs: lengthOf(sink.gaps),
        some: evenly(sink.samples, shownSamples),
      };
    }),
  );
}

function changeOf(from: Numbers, to: Numbers): Numbers {
  const change = ({ field }: (typeof shownNumbers)[number]): readonly [NumberField, number | null] => {
    const [before, after] = [from[field], to[field]];
    return [field, before === null || after === null ? null : after - before];
  };
  return Object.fromEntries(shownNumbers.map(change)) as Record<NumberField, number | null>;
}

export function lengthOf(gaps: readonly { readonly from: string; readonly to: string }[]): number {
  return gaps.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0);
}

/** At most so many, with the first and the last, and all that have a difference. */
export function evenly(samples: readonly SampleShape[], most: number): readonly SampleShape[] {
  const step = Math.max(1, Math.ceil((samples.length - 1) / (most - 1)));
  return samples.filter(
    ({ difference }, index) => index % step === 0 || index === samples.length - 1 || difference !== 0,
  );
}

/** `1,234,567`, or that it is not known. */
export function numberText(number: number | null): string {
  return number === null ? 'not known' : number.toLocaleString('en-US');
}

/** The same of a change: `+5`. */
export function changeText(number: number | null): string {
  return number !== null && number > 0 ? `+${numberText(number)}` : numberText(number);
}

/** `2 d 3 h 5 min`, in whole seconds. */
export function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return shown.length === 0 ? '0 s' : shown.join(' ');
}

/** How complete the samples of a sink are, in one line. */
export function samplesText({ sink, different, missingMs }: SinkFacts, stepSeconds: number): string {
  const count = sink.samples.length;
  if (count === 0) return 'no sample in this time';
  const each =
    stepSeconds === 60 ? 'a minute' : stepSeconds === 3600 ? 'an hour' : `each ${lengthText(stepSeconds * 1000)}`;
  const well = different === 0 ? 'none with anything missing' : `${different} with something missing`;
  const gaps = missingMs === 0 ? 'no gap' : `${lengthText(missingMs)} without samples`;
  return `${numberText(count)} ${count === 1 ? 'sample' : 'samples'}, one ${each}, ${well}; ${gaps}`;
}
