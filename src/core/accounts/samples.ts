import type { Incarnation, SinkKey } from '../ids.ts';
import { appendToColumn, readColumn, type NumberColumn } from './number-column.ts';
import { noNumbers, numberNames, type SinkNumbers } from './sink-numbers.ts';

/** How far samples lie apart. */
export type SampleStep = 'minute' | 'hour';

interface StepFacts {
  /** At most one sample in each. */
  readonly stepMs: number;
  /** What one block of samples covers. */
  readonly blockMs: number;
  /** So many are kept, the newest that have samples. */
  readonly blocks: number;
}

const hourMs = 3_600_000;

/** The last day by the minute, and 90 days by the hour; one block more, because the newest has only begun. */
export const sampleSteps: Readonly<Record<SampleStep, StepFacts>> = {
  minute: { stepMs: 60_000, blockMs: hourMs, blocks: 25 },
  hour: { stepMs: hourMs, blockMs: 24 * hourMs, blocks: 91 },
};

/** So many incarnations with consecutive numbers share the documents of their samples. */
export const incarnationsTogether = 50;

/** Samples of some incarnations in one hour or day, column by column. */
export interface SampleBlock {
  /** When each was taken, milliseconds since the epoch; strictly ascending. */
  readonly at: NumberColumn;
  readonly sinks: readonly SampledSink[];
}

/** The numbers of one incarnation in a block. A column that is absent has 0 everywhere. */
export interface SampledSink extends SinkKey, Partial<Readonly<Record<keyof SinkNumbers, NumberColumn>>> {
  readonly incarnation: Incarnation;
  /** Lengths of runs of samples, missing ones and kept ones in turn, beginning with missing ones; they end where the last kept one is. */
  readonly runs: readonly number[];
}

/** One sample of some incarnations. */
export interface Sample {
  readonly at: number;
  readonly sinks: readonly SampledNow[];
}

export interface SampledNow {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly numbers: SinkNumbers;
}

/** The numbers of an incarnation at one moment. */
export interface SinkSample extends SinkNumbers {
  readonly at: number;
}

/** The block with one sample more; undefined when it has one of this minute or hour, or a later one: samples never go back. */
export function appendSample(
  block: SampleBlock | undefined,
  { at, sinks }: Sample,
  step: SampleStep,
): SampleBlock | undefined {
  const { stepMs } = sampleSteps[step];
  const times = readColumn(block?.at ?? '');
  const last = times.at(-1);
  if (last !== undefined && Math.floor(at / stepMs) <= Math.floor(last / stepMs)) return undefined;
  const given = new Map(sinks.map((one) => [one.incarnation, one]));
  const index = times.length;
  const known = (block?.sinks ?? []).map((sink) => {
    const now = given.get(sink.incarnation);
    given.delete(sink.incarnation);
    return now === undefined ? sink : appendNumbers(sink, now.numbers, index);
  });
  const more = [...given.values()].map(({ key, incarnation, numbers }) => {
    const { branchId, sourceId, sinkId } = key;
    return appendNumbers({ branchId, sourceId, sinkId, incarnation, runs: [] }, numbers, index);
  });
  return { ...block, at: appendToColumn(block?.at ?? '', at), sinks: [...known, ...more] };
}

function appendNumbers(sink: SampledSink, numbers: SinkNumbers, index: number): SampledSink {
  const kept = keptIn(sink.runs);
  const columns = numberNames.flatMap((name): [keyof SinkNumbers, NumberColumn][] => {
    const column = sink[name];
    if (column !== undefined) return [[name, appendToColumn(column, numbers[name])]];
    return numbers[name] === 0 ? [] : [[name, appendToColumn(zeros(kept), numbers[name])]];
  });
  return { ...sink, runs: withRun(sink.runs, index), ...Object.fromEntries(columns) };
}

function zeros(count: number): NumberColumn {
  if (count === 0) return '';
  return count === 1 ? '0' : `0 *${count - 1}`;
}

/** Runs with the sample at this index kept, too. */
function withRun(runs: readonly number[], index: number): readonly number[] {
  const length = runs.reduce((sum, run) => sum + run, 0);
  if (runs.length > 0 && length === index) return [...runs.slice(0, -1), (runs.at(-1) ?? 0) + 1];
  return [...runs, index - length, 1];
}

function keptIn(runs: readonly number[]): number {
  return runs.reduce((sum, run, index) => (index % 2 === 0 ? sum : sum + run), 0);
}

/** The samples of one incarnation in a block, in order; those that are missing are left out. */
export function samplesOf({ at }: Pick<SampleBlock, 'at'>, sink: SampledSink): readonly SinkSample[] {
  const times = readColumn(at);
  const columns = numberNames.flatMap((name) => {
    const column = sink[name];
    return column === undefined ? [] : [{ name, numbers: readColumn(column) }];
  });
  const samples: SinkSample[] = [];
  let index = 0;
  for (const [run, length] of sink.runs.entries()) {
    for (let count = 0; count < length; count += 1, index += 1) {
      if (run % 2 === 0) continue;
      const sample = { at: times[index] ?? 0, ...noNumbers };
      for (const { name, numbers } of columns) sample[name] = numbers[samples.length] ?? 0;
      samples.push(sample);
    }
  }
  return samples;
}

/** When a block took its last sample; undefined for one without any. */
export function lastOf({ at }: Pick<SampleBlock, 'at'>): number | undefined {
  return readColumn(at).at(-1);
}

/** The block as it was at a time: without the samples behind it. */
export function samplesUntil<Block extends SampleBlock>(block: Block, at: number, step: SampleStep): Block {
  const sinks = block.sinks.map((sink) => ({
    sink,
    samples: new Map(samplesOf(block, sink).map((one) => [one.at, one])),
  }));
  let kept: SampleBlock = { ...block, at: '', sinks: [] };
  for (const time of readColumn(block.at)) {
    if (time > at) break;
    const taken = sinks.flatMap(({ sink, samples }) => {
      const { branchId, sourceId, sinkId, incarnation } = sink;
      const numbers = samples.get(time);
      return numbers === undefined ? [] : [{ key: { branchId, sourceId, sinkId }, incarnation, numbers }];
    });
    kept = appendSample(kept, { at: time, sinks: taken }, step) ?? kept;
  }
  return { ...block, ...kept };
}
