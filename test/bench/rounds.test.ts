import { expect, test } from 'vitest';
import { inTurns } from './rounds.ts';

test('sides take turns, and each second round goes backwards', async () => {
  const order: string[] = [];
  const side = (name: string) => async () => {
    order.push(name);
    return { [name]: order.length };
  };
  const told: string[] = [];
  const rounds = await inTurns<{ readonly a: number; readonly b: number }>(
    { rounds: 3, tell: (progress) => told.push(progress) },
    { a: side('a'), b: side('b') },
  );
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(rounds).toEqual([
    { a: 1, b: 2 },
    { b: 3, a: 4 },
    { a: 5, b: 6 },
  ]);
  expect(told.slice(0, 2)).toEqual(['round 1 of 3: a', 'round 1 of 3: b']);
});
