import { expect } from 'vitest';
import type { SinkProgressAnswer } from './shop.ts';
import { taken, type SentEvent } from './timed-sender.ts';

/** Checks a table against its senders: each acknowledged event once (D2, D3), an unanswered one at most once, nothing else. */
export function expectExactlyOnce(numbers: readonly number[], events: readonly SentEvent[]): void {
  const stored = new Set(numbers);
  expect(twice(numbers), 'D3: events that are there twice').toEqual([]);
  const known = new Map(events.map((event) => [event.number, event]));
  expect(
    [...stored].filter((number) => (known.get(number)?.status ?? 200) >= 300 || !known.has(number)),
    'events that were refused or never sent',
  ).toEqual([]);
  const lost = taken(events).filter(({ number }) => !stored.has(number));
  expect(
    lost.map(({ number }) => number),
    'D2: acknowledged events that are lost',
  ).toEqual([]);
}

/** Numbers that appear more than once. */
export function twice(numbers: readonly number[]): readonly number[] {
  const seen = new Set<number>();
  return numbers.filter((number) => seen.size === seen.add(number).size);
}

/** Checks that all is delivered and the numbers of D4 agree with the count of a table. */
export function expectConserved({ totals, alarm }: SinkProgressAnswer, imported: number, dead = 0): void {
  expect(alarm).toBeUndefined();
  expect(totals, 'D4').toEqual({
    accepted: imported + dead,
    imported,
    dead,
    filtered: 0,
    holes: 0,
    none: 0,
    givenUp: 0,
    staged: 0,
    inFlight: 0,
    difference: 0,
  });
}
