import type { DeadLetterReason } from '../core/dead-letter.ts';
import type { Outcome } from '../core/outcome.ts';

export type CountedKind = Exclude<Outcome['kind'], 'packed'>;

/** What is told of the outcomes of one append: little, so that they need not be kept until it is durable. */
export interface OutcomeTotals {
  /** Source offsets by the kind of their outcome; of a record that holds several events each of these. */
  readonly counts: ReadonlyMap<CountedKind, number>;
  /** Of the dead letters among them, one for each. */
  readonly reasons: readonly DeadLetterReason[];
  /** Arrival of the first event that became a line, milliseconds since the epoch; undefined when none did. */
  readonly oldest: number | undefined;
}

export function totalsOf(outcomes: readonly Outcome[], reasons: readonly DeadLetterReason[]): OutcomeTotals {
  const oldest = outcomes.find((outcome) => 'arrivedAt' in outcome)?.arrivedAt;
  return { counts: offsetsByKind(outcomes), reasons, oldest };
}

function offsetsByKind(outcomes: readonly Outcome[]): ReadonlyMap<CountedKind, number> {
  const counts = new Map<CountedKind, number>();
  const add = (kind: CountedKind, offsets: number): unknown => counts.set(kind, (counts.get(kind) ?? 0) + offsets);
  for (const outcome of outcomes) {
    const { kind } = outcome;
    if (kind === 'packed') for (const each of ['row', 'dead', 'filtered'] as const) add(each, outcome[eventsOf[each]]);
    else add(kind, kind === 'row' || kind === 'dead' ? 1 : outcome.to - outcome.from);
  }
  return counts;
}

const eventsOf = { row: 'rows', dead: 'dead', filtered: 'filtered' } as const;
