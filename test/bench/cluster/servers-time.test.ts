import { expect, test } from 'vitest';
import { readServersTime, serversBetween } from './servers-time.ts';

test('between two readings each server has what it used, and one that was started meanwhile has all of it', () => {
  const before = new Map([['Kafka', 5_000_000] as const]);
  const after = new Map([['Kafka', 5_250_000] as const, ['PostgreSQL', 40_000] as const]);
  expect([...serversBetween(before, after)]).toEqual([
    ['Kafka', 250_000],
    ['PostgreSQL', 40_000],
  ]);
});

test('a process that has started no server has none', async () => {
  expect([...(await readServersTime())]).toEqual([]);
});
