import type { SourceId, SinkId } from '../ids.ts';
import type { LoadedCounts } from '../progress/ledger.ts';
import { isWitnessed, ledgerDifference, type Witness } from './ledger-witness.ts';
import { differenceOf, sumNumbers, type SinkNumbers } from './sink-numbers.ts';

/** What is known of one incarnation now. */
export interface JudgedSink {
  readonly sourceId: SourceId;
  readonly sinkId: SinkId;
  readonly numbers: SinkNumbers;
  /** False while the topic of its source cannot be read: what it accepted is not known then. */
  readonly isKnown: boolean;
  readonly witness: Witness;
  /** How many samples of the time had a difference. */
  readonly differentSamples: number;
}

/** All that a verdict speaks of. */
export interface Judged {
  /** How many there are. */
  readonly sources: number;
  readonly sinks: readonly JudgedSink[];
  /** Documents of sinks that this release cannot read: nobody knows what theirs are. */
  readonly unread: number;
}

const named = 3;

/**
 * Whether everything arrived, in one line: first what is missing, then what cannot be known, else where everything is and what is lost for
 * good.
 */
export function verdictOf({ sources, sinks, unread }: Judged): string {
  const all = sumNumbers(sinks.map(({ numbers }) => numbers));
  const unknown = sinks.filter(({ isKnown }) => !isKnown);
  const missing = sinks.filter(isMissing);
  const of = `for ${many(sinks.length, 'sink')} of ${many(sources, 'source')}`;
  if (sinks.length === 0 && unread === 0)
    return `No event was to arrive anywhere: there are no sinks in ${many(sources, 'source')}.`;
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`Not everything is accounted for: ${listed(missing.map(missingText))}.`);
  if (unknown.length > 0)
    parts.push(
      `What was accepted is not known now for ${listed(unknown.map(nameOf))}, because the topic of the source does not answer.`,
    );
  const [away, unfit] = [withWitness(sinks, 'away'), withWitness(sinks, 'unfit')];
  if (away.length > 0)
    parts.push(
      `What is in the tables is not known now for ${listed(away.map(nameOf))}, because the table store does not answer.`,
    );
  if (unfit.length > 0)
    parts.push(
      `What was imported is not proven for ${listed(unfit.map(nameOf))}: the table store has another ledger of it, or none, as one that was lost or brought back.`,
    );
  if (unread > 0)
    parts.push(
      `${many(unread, 'document')} of sinks cannot be read by this release: what became of their events is not known.`,
    );
  if (parts.length === 0) {
    const lost = all.holes + all.givenUp;
    const end = lost === 0 ? 'nothing is missing' : `${whole(lost)} are lost: ${listed(sinks.flatMap(lossText))}`;
    parts.push(`${acceptedText(all.accepted, of)}${all.accepted === 0 ? '' : `: ${whereText(all)}`}; ${end}.`);
  }
  const different = sinks.filter(({ differentSamples }) => differentSamples > 0);
  if (different.length > 0)
    parts.push(
      `In this time ${listed(different.map((sink) => `${many(sink.differentSamples, 'sample')} of ${nameOf(sink)}`))} had a difference.`,
    );
  return parts.join(' ');
}

/** True when every event is in the table or accounted for, as far as can be known, and none is lost. */
export function isWell({ sinks, unread }: Judged): boolean {
  if (unread > 0) return false;
  return sinks.every(
    (sink) =>
      sink.isKnown && isWitnessed(sink) && !isMissing(sink) && sink.numbers.holes === 0 && sink.numbers.givenUp === 0,
  );
}

function isMissing(sink: JudgedSink): boolean {
  const { rows, dead } = witnessedOf(sink);
  return differenceOf(sink.numbers) !== 0 || rows !== 0 || dead !== 0;
}

function witnessedOf({ witness }: JudgedSink): LoadedCounts {
  return ledgerDifference(witness) ?? { rows: 0, dead: 0 };
}

function withWitness(sinks: readonly JudgedSink[], kind: Witness['kind']): readonly JudgedSink[] {
  return sinks.filter(({ witness }) => witness.kind === kind);
}

function acceptedText(accepted: number, of: string): string {
  if (accepted === 0) return `No event was accepted ${of}`;
  if (accepted === 1) return `The only event ${of} is accounted for`;
  return `All ${whole(accepted)} events ${of} are accounted for`;
}

function missingText(sink: JudgedSink): string {
  const difference = differenceOf(sink.numbers);
  const { rows, dead } = witnessedOf(sink);
  const parts: string[] = [];
  if (difference > 0) parts.push(`misses ${many(difference, 'event')}`);
  if (difference < 0) parts.push(`counts ${many(-difference, 'event')} twice`);
  if (rows !== 0)
    parts.push(`has ${many(Math.abs(rows), 'row')} ${rows > 0 ? 'less' : 'more'} in its table than it counts`);
  if (dead !== 0)
    parts.push(
      `has ${many(Math.abs(dead), 'dead letter')} ${dead > 0 ? 'less' : 'more'} in their table than it counts`,
    );
  return `${nameOf(sink)} ${parts.join(' and ')}`;
}

function lossText(sink: JudgedSink): readonly string[] {
  const { holes, givenUp } = sink.numbers;
  const parts = [
    ...(holes > 0 ? [`lost ${whole(holes)} to retention`] : []),
    ...(givenUp > 0 ? [`gave ${whole(givenUp)} up`] : []),
  ];
  return parts.length === 0 ? [] : [`${nameOf(sink)} ${parts.join(' and ')}`];
}

function whereText({ imported, staged, inFlight, filtered, dead, holes, givenUp }: SinkNumbers): string {
  const where: readonly (readonly [number, string])[] = [
    [imported, 'imported'],
    [staged, 'staged'],
    [inFlight, 'in flight'],
    [filtered, 'filtered'],
    [dead, dead === 1 ? 'dead letter' : 'dead letters'],
    [holes, holes === 1 ? 'hole' : 'holes'],
    [givenUp, 'given up'],
  ];
  return where
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${whole(count)} ${text}`)
    .join(', ');
}

function listed(texts: readonly string[]): string {
  const more = texts.length - named;
  return more > 0 ? `${texts.slice(0, named).join('; ')}; and ${more} more` : texts.join('; ');
}

function nameOf({ sourceId, sinkId }: JudgedSink): string {
  return `${sourceId}/${sinkId}`;
}

function many(count: number, thing: string): string {
  return `${whole(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** `1,234,567` */
export function whole(count: number): string {
  return String(count).replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}
