import type { Fault, Refusal } from '../../../events/refusal.ts';

/** How bad it is, from what the sender can mend to what may be over in a moment: one that tries again after the last is right. */
const ranks: Readonly<Record<Fault, number>> = {
  invalid: 0,
  notFound: 1,
  tooLarge: 2,
  unsupported: 3,
  busy: 4,
  internal: 5,
  unavailable: 6,
};

/** The worst that happened to one of the sources of a request; undefined where all have its events. */
export function worstOf(outcomes: readonly (Refusal | 'stored' | 'accepted')[]): Refusal | undefined {
  let worst: Refusal | undefined;
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') continue;
    if (worst === undefined || ranks[outcome.fault] > ranks[worst.fault]) worst = outcome;
  }
  return worst;
}
