import { expect, test } from 'vitest';
import { SinkTurns } from './sink-turns.ts';

interface Timed {
  readonly name: string;
  readonly ms: number;
}

const sink = (name: string, ms: number): Timed => ({ name, ms });

/** The sinks that a round serves, each taking its time. */
function round(turns: SinkTurns<Timed>, sinks: readonly Timed[]): string {
  const served: string[] = [];
  for (const { name, ms } of turns.of(sinks)) {
    if (ms > 100) turns.usedUp(ms);
    served.push(name);
  }
  return served.join(' ');
}

test('D8: all sinks have a turn in each round while few of them take long', () => {
  const turns = new SinkTurns<Timed>();
  const sinks = [sink('a', 1), sink('slow', 250), sink('b', 50), sink('c', 99)];
  for (let at = 0; at < 3; at++) expect(round(turns, sinks)).toBe('a slow b c');
});

test('D8: who was left out has its turn before the others, whoever stands with it', () => {
  const turns = new SinkTurns<Timed>();
  const sinks = [sink('a', 200), sink('b', 200), sink('c', 200), sink('quick', 1), sink('d', 200)];
  expect([1, 2, 3, 4].map(() => round(turns, sinks))).toEqual(['a b', 'c quick d', 'a b', 'c quick d']);
  expect(round(turns, sinks)).toBe('a b');
  expect(round(turns, sinks.slice(0, 1))).toBe('a');
  expect(round(turns, sinks)).toBe('c quick d');
});
