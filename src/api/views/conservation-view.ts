import { z } from 'zod';
import { differenceOf, type SinkNumbers } from '../../core/accounts/sink-numbers.ts';
import { limits } from '../../core/limits.ts';
import type { Gap } from '../../core/accounts/gaps.ts';
import type { ConservationReport, ReportedSink, ReportedSource } from '../../control/samples/conservation-report.ts';
import { isoTime } from './iso-time.ts';

const count = z.int();
const unknown = 'null while the topic of the source does not answer';

const numbers = {
  imported: count.meta({ description: 'Rows in the table.' }),
  staged: count.meta({ description: 'Rows and dead letters in staging, parked and running ones included.' }),
  filtered: count,
  dead: count.meta({ description: 'Dead letters in the dead letter table.' }),
  holes: count.meta({ description: 'Events that retention took before they were delivered.' }),
  givenUp: count.meta({ description: 'Events that were dropped from staging.' }),
  difference: count.meta({ description: '`accepted` less all others; anything but 0 is a defect.' }),
};

const sample = z
  .object({ at: z.iso.datetime(), accepted: count, inFlight: count, ...numbers })
  .meta({ id: 'ConservationSample' });

const gap = z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).meta({
  id: 'SampleGap',
  description: 'A time in which no sample was taken: nothing is known of it, not that nothing came.',
});

const sink = z
  .object({
    sinkId: z.string(),
    incarnation: count.meta({ description: 'A sink that was deleted and came back is there once for each time.' }),
    deleted: z.boolean().meta({ description: 'This existence of the sink takes no events any more.' }),
    at: z.iso.datetime().meta({ description: 'When the numbers were counted; of one that is gone, its last sample.' }),
    accepted: count.nullable().meta({
      description: `Events at the offsets that the sink was to take, counted from positions of the log; ${unknown}.`,
    }),
    inFlight: count.nullable().meta({ description: `Events that are not staged yet; ${unknown}.` }),
    ...numbers,
    samples: z.array(sample).meta({ description: 'In order. A time without a sample is in `gaps`.' }),
    gaps: z.array(gap),
  })
  .meta({ id: 'ConservationOfSink' });

const source = z
  .object({
    sourceId: z.string(),
    accepted: count.nullable().meta({
      description: `Records that the log acknowledged since the source exists; retention does not lower it. Of Kafka the offsets of the topic, markers of transactions with them. Null of a deleted source, and ${unknown}.`,
    }),
    sinks: z.array(sink),
  })
  .meta({ id: 'ConservationOfSource' });

const head = {
  projectId: z.int(),
  branchId: z.int(),
  verdict: z.string().meta({ description: 'In one line: what is missing, what is lost, where the rest is.' }),
  well: z.boolean().meta({ description: 'Every event is in its table or accounted for, and none is lost.' }),
  at: z.iso.datetime().meta({ description: 'When the numbers were counted.' }),
  since: z.iso.datetime().meta({ description: 'From when on samples are shown.' }),
  stepSeconds: count.meta({
    description: `What lies between two samples: a minute, or an hour for more than a day; a multiple where there are more than ${limits.shownSamples} samples.`,
  }),
  gaps: z.array(gap).meta({ description: 'When nothing at all was sampled.' }),
  clockJumps: z
    .array(z.object({ at: z.iso.datetime(), bySeconds: z.number() }))
    .meta({ description: 'When somebody set the clock that samples are taken by, and by how much.' }),
};

export const conservationSchema = z.object({ ...head, sources: z.array(source) }).meta({ id: 'Conservation' });

export type ConservationView = z.input<typeof conservationSchema>;

/** All of a report but its sources. */
export function conservationHead(
  { verdict, isWell, at, since, stepMs, gaps, clockJumps }: ConservationReport,
  { projectId, branchId }: { readonly projectId: number; readonly branchId: number },
): Omit<ConservationView, 'sources'> {
  return {
    projectId,
    branchId,
    verdict,
    well: isWell,
    at: isoTime(at),
    since: isoTime(since),
    stepSeconds: stepMs / 1000,
    gaps: gaps.map(gapView),
    clockJumps: clockJumps.map((jump) => ({ at: isoTime(jump.at), bySeconds: jump.byMs / 1000 })),
  };
}

export function conservationOfSource({ sourceId, accepted, sinks }: ReportedSource): z.input<typeof source> {
  return { sourceId, accepted: accepted ?? null, sinks: sinks.map(sinkView) };
}

function sinkView(reported: ReportedSink): z.input<typeof sink> {
  const { key, incarnation, isDeleted, isKnown, at, samples, gaps } = reported;
  const { accepted, inFlight, ...others } = numbersView(reported.numbers);
  return {
    sinkId: key.sinkId,
    incarnation,
    deleted: isDeleted,
    at: isoTime(at),
    accepted: isKnown ? accepted : null,
    inFlight: isKnown ? inFlight : null,
    ...others,
    samples: samples.map((one) => ({ at: isoTime(one.at), ...numbersView(one) })),
    gaps: gaps.map(gapView),
  };
}

function numbersView(of: SinkNumbers): Omit<z.input<typeof sample>, 'at'> {
  const { accepted, imported, staged, inFlight, filtered, dead, holes, givenUp } = of;
  return { accepted, imported, staged, inFlight, filtered, dead, holes, givenUp, difference: differenceOf(of) };
}

function gapView({ from, to }: Gap): z.input<typeof gap> {
  return { from: isoTime(from), to: isoTime(to) };
}
