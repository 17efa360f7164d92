import type { ClockJump } from '../../core/accounts/clock-jump.ts';
import { gapsIn, type Gap } from '../../core/accounts/gaps.ts';
import { sampleSteps, type SampleStep, type SinkSample } from '../../core/accounts/samples.ts';
import { countSink, type SinkNumbers } from '../../core/accounts/sink-numbers.ts';
import { isWell, verdictOf, type JudgedSink } from '../../core/accounts/verdict.ts';
import type { Witness } from '../../core/accounts/ledger-witness.ts';
import type { BranchId, Incarnation, SinkKey, SourceId } from '../../core/ids.ts';
import { clockJumpsDocuments, clockJumpsId } from '../../documents/clock-jumps-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { countSinks, countSources, type CountedSink, type CountedSource } from './counted-sinks.ts';
import { readKept, type KeptSamples, type KeptSink } from './kept-samples.ts';
import { readWitnesses } from './read-witnesses.ts';

type ReportParts = Pick<
  Parts,
  'catalog' | 'clock' | 'definitions' | 'ledger' | 'samplingClock' | 'sourceLog' | 'telemetry'
>;

export interface ReportQuery {
  readonly branchId: BranchId;
  /** Only this source. */
  readonly sourceId?: SourceId | undefined;
  /** How far back samples are shown. */
  readonly sinceMs: number;
}

export interface ConservationReport {
  readonly verdict: string;
  /** Every event is in the table or accounted for, as far as can be known, and none is lost. */
  readonly isWell: boolean;
  /** When the numbers were counted, milliseconds since the epoch. */
  readonly at: number;
  /** From when on samples are shown. */
  readonly since: number;
  /** What lies between samples; a multiple of a minute or an hour when there would be too many. */
  readonly stepMs: number;
  /** When no sink at all was sampled. */
  readonly gaps: readonly Gap[];
  /** In this time. */
  readonly clockJumps: readonly ClockJump[];
  readonly sources: readonly ReportedSource[];
}

export interface ReportedSource {
  readonly sourceId: SourceId;
  /** Records that the log acknowledged since the source exists; undefined while it does not answer, and of a deleted source. */
  readonly accepted: number | undefined;
  readonly sinks: readonly ReportedSink[];
}

/** One incarnation of a sink. */
export interface ReportedSink {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  /** It takes no events any more; another incarnation may have its name. */
  readonly isDeleted: boolean;
  /** Undefined while the topic of the source does not answer: `accepted` and `inFlight` are not known then. */
  readonly isKnown: boolean;
  /** Now; of an incarnation that is gone, with everything delivered: as its last sample has them. */
  readonly numbers: SinkNumbers;
  /** When they were counted. */
  readonly at: number;
  readonly samples: readonly SinkSample[];
  /** Between its first and its last sample, and until now for one that is there. */
  readonly gaps: readonly Gap[];
}

/** The numbers of a branch now, and its samples. `source.notFound` for a source that is not there. */
export async function reportConservation(
  parts: ReportParts,
  { branchId, sourceId, sinceMs }: ReportQuery,
  options: Waiting,
): Promise<ConservationReport> {
  if (sourceId !== undefined) await parts.definitions.knownSource({ branchId, sourceId }, options);
  const at = Math.floor((parts.samplingClock ?? parts.clock).now());
  const since = at - sinceMs;
  const isWanted = (key: SinkKey): boolean =>
    key.branchId === branchId && (sourceId === undefined || key.sourceId === sourceId);
  const counted = await countSources(parts, branchId, options);
  const sources = counted.filter(({ source }) => sourceId === undefined || source.sourceId === sourceId);
  const { now, unread } = await countNow(parts, { sources, isWanted }, options);
  const step: SampleStep = sinceMs <= sampleSteps.hour.blockMs ? 'minute' : 'hour';
  const kept = await readKept(parts, { step, since, at, sinks: now.size, isWanted }, options);
  const sinks = reportedSinks(now, kept, at);
  const known = new Map(sources.map((one) => [one.source.sourceId, one]));
  const ids = new Set([...known.keys(), ...sinks.map(({ key }) => key.sourceId)]);
  const judged = sinks.filter(({ key, incarnation }) => now.has(incarnation) && isWanted(key));
  const facts = judged.map((sink) => judgedSink(sink, now.get(sink.incarnation)?.witness, kept));
  const all = { sources: sources.length, sinks: facts, unread };
  return {
    verdict: verdictOf(all),
    isWell: isWell(all),
    at,
    since,
    stepMs: kept.shownEveryMs,
    gaps: gapsIn(kept.times, { from: since, to: at, stepMs: sampleSteps[step].stepMs }),
    clockJumps: await jumpsSince(parts, since, options),
    sources: [...ids].sort(byText).map((id) => ({
      sourceId: id,
      accepted: known.get(id)?.ends?.accepted,
      sinks: sinks.filter(({ key }) => key.sourceId === id),
    })),
  };
}

interface CountedNow extends CountedSink {
  readonly witness: Witness;
}

interface Counted {
  readonly now: ReadonlyMap<Incarnation, CountedNow>;
  /** Documents of sinks, of any branch, that this release cannot read. */
  readonly unread: number;
}

async function countNow(
  parts: ReportParts,
  { sources, isWanted }: { readonly sources: readonly CountedSource[]; readonly isWanted: (key: SinkKey) => boolean },
  options: Waiting,
): Promise<Counted> {
  const now = new Map<Incarnation, CountedNow>();
  let unread = 0;
  for await (const page of countSinks(parts, sources, { ...options, onUnread: () => void (unread += 1) })) {
    const wanted = page.filter(({ progress }) => isWanted(progress.key));
    const witnesses = await readWitnesses(
      parts,
      wanted.map(({ progress }) => progress),
      options,
    );
    for (const one of wanted) {
      const { incarnation } = one.progress;
      now.set(incarnation, { ...one, witness: witnesses.get(incarnation) ?? { kind: 'away' } });
    }
  }
  return { now, unread };
}

/** By sink, and of one name the present incarnation first. */
function reportedSinks(
  now: ReadonlyMap<Incarnation, CountedNow>,
  kept: KeptSamples,
  at: number,
): readonly ReportedSink[] {
  const ids = [...new Set([...now.keys(), ...kept.sinks.keys()])];
  const sinks = ids.flatMap((incarnation): readonly ReportedSink[] => {
    const counted = now.get(incarnation);
    const samples = kept.sinks.get(incarnation);
    const key = counted?.progress.key ?? samples?.key;
    if (key === undefined) return [];
    const shown = {
      key,
      incarnation,
      samples: samples?.shown ?? [],
      gaps: gapsOf(samples, counted === undefined, { kept, at }),
    };
    if (counted !== undefined) {
      const { progress, numbers } = counted;
      const known = numbers ?? countSink(progress, new Map());
      return [{ ...shown, isDeleted: progress.deleted, isKnown: numbers !== undefined, numbers: known, at }];
    }
    if (samples === undefined) return [];
    const { at: lastAt, ...numbers } = samples.last;
    return [{ ...shown, isDeleted: true, isKnown: true, numbers, at: lastAt }];
  });
  return sinks.sort(
    (a, b) =>
      byText(a.key.sinkId, b.key.sinkId) || Number(a.isDeleted) - Number(b.isDeleted) || b.incarnation - a.incarnation,
  );
}

function gapsOf(
  samples: KeptSink | undefined,
  isGone: boolean,
  { kept, at }: { readonly kept: KeptSamples; readonly at: number },
): readonly Gap[] {
  const [first] = samples?.times ?? [];
  if (samples === undefined || first === undefined) return [];
  const { stepMs } = sampleSteps[kept.step];
  return gapsIn(samples.times, { from: first, to: isGone ? samples.last.at : at, stepMs });
}

function judgedSink(
  { key, incarnation, numbers, isKnown }: ReportedSink,
  witness: Witness = { kind: 'away' },
  { sinks }: KeptSamples,
): JudgedSink {
  const { sourceId, sinkId } = key;
  return { sourceId, sinkId, numbers, isKnown, witness, differentSamples: sinks.get(incarnation)?.different ?? 0 };
}

async function jumpsSince(
  { catalog }: Pick<Parts, 'catalog'>,
  since: number,
  options: Waiting,
): Promise<readonly ClockJump[]> {
  const found = await readDocument(catalog, { kind: clockJumpsDocuments, id: clockJumpsId }, options);
  return (found?.value.jumps ?? []).filter(({ at }) => at >= since);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
