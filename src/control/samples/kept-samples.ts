import { setImmediate } from 'node:timers/promises';
import { sampleSteps, samplesOf, type SampleStep, type SinkSample } from '../../core/accounts/samples.ts';
import { differenceOf } from '../../core/accounts/sink-numbers.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { SampleStore } from './sample-store.ts';

/** Samples of a time, as a report shows them. */
export interface KeptSamples {
  readonly step: SampleStep;
  /** One step, or several where there are too many samples for one answer. */
  readonly shownEveryMs: number;
  /** When any incarnation was sampled, ascending; of samples that are not shown, too. */
  readonly times: readonly number[];
  readonly sinks: ReadonlyMap<Incarnation, KeptSink>;
}

/** Of one incarnation. */
export interface KeptSink {
  readonly key: SinkKey;
  readonly shown: readonly SinkSample[];
  /** Of samples that are not shown, too. */
  readonly times: readonly number[];
  readonly last: SinkSample;
  /** How many have a difference; of those that are not shown, too. */
  readonly different: number;
}

export interface KeptQuery {
  readonly step: SampleStep;
  readonly since: number;
  readonly at: number;
  /** About how many there are. */
  readonly sinks: number;
  readonly isWanted: (key: SinkKey) => boolean;
}

/**
 * Reads the samples of a time, no more for one answer than `limits.shownSamples`: the first of each longer step, and all that have a
 * difference.
 */
export async function readKept(
  { catalog }: { readonly catalog: Catalog },
  { step, since, at, sinks: count, isWanted }: KeptQuery,
  options: Waiting,
): Promise<KeptSamples> {
  const { stepMs } = sampleSteps[step];
  const most = Math.ceil((at - since) / stepMs) * Math.max(1, count);
  const shownEveryMs = stepMs * Math.max(1, Math.ceil(most / limits.shownSamples));
  const sinks = new Map<Incarnation, Collected>();
  const times = new Set<number>();
  for await (const blocks of new SampleStore(catalog).read(step, since, options)) {
    for (const block of blocks) {
      for (const sink of block.sinks) {
        const samples = samplesOf(block, sink).filter((sample) => sample.at >= since && sample.at <= at);
        for (const sample of samples) times.add(sample.at);
        if (isWanted(sink)) for (const sample of samples) collect(sinks, { sink, sample, shownEveryMs });
      }
      // Lets other work of this process in between.
      await setImmediate();
    }
  }
  return { step, shownEveryMs, times: [...times].sort((a, b) => a - b), sinks };
}

interface Collected extends KeptSink {
  readonly shown: SinkSample[];
  readonly times: number[];
  last: SinkSample;
  different: number;
  /** Which of the longer steps the last one that is shown is in. */
  shownStep: number;
}

interface Found {
  readonly sink: SinkKey & { readonly incarnation: Incarnation };
  readonly sample: SinkSample;
  readonly shownEveryMs: number;
}

function collect(sinks: Map<Incarnation, Collected>, { sink, sample, shownEveryMs }: Found): void {
  const { branchId, sourceId, sinkId, incarnation } = sink;
  const key = { branchId, sourceId, sinkId };
  const collected = sinks.get(incarnation) ?? { key, shown: [], times: [], last: sample, different: 0, shownStep: -1 };
  sinks.set(incarnation, collected);
  collected.times.push(sample.at);
  collected.last = sample;
  const isDifferent = differenceOf(sample) !== 0;
  if (isDifferent) collected.different += 1;
  const shownStep = Math.floor(sample.at / shownEveryMs);
  if (shownStep === collected.shownStep && !isDifferent) return;
  collected.shownStep = shownStep;
  collected.shown.push(sample);
}
