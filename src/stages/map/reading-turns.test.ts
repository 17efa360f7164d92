import { describe, expect, it } from 'vitest';
import { ReadingTurns } from './reading-turns.ts';

describe('the turns of sinks that stand at different positions', () => {
  it('D6: a turn lasts until it was answered, however often it is asked for: head and last in turns', () => {
    const turns = new ReadingTurns();
    const first = turns.take({ low: 5, head: 100, now: 0 });
    expect(first.offset).toBe(100);
    expect(turns.take({ low: 5, head: 100, now: first.endsAt - 1 })).toEqual(first);
    turns.served();
    for (const now of [1, 2, 100_000]) expect(turns.take({ low: 5, head: 110, now }).offset).toBe(5);
    turns.served();
    expect(turns.take({ low: 15, head: 110, now: 100_001 }).offset).toBe(110);
  });

  it('D6: where nothing comes at the head, the last goes on, and the head is asked again', () => {
    const turns = new ReadingTurns();
    const { endsAt } = turns.take({ low: 5, head: 100, now: 0 });
    expect(turns.take({ low: 5, head: 100, now: endsAt }).offset).toBe(5);
    const reads: number[] = [];
    for (let now = endsAt; now < endsAt + 5000; now += 100) {
      turns.served();
      reads.push(turns.take({ low: 5, head: 100, now }).offset);
    }
    expect(reads.filter((offset) => offset === 100).length).toBeGreaterThan(1);
    expect(reads.filter((offset) => offset === 5).length).toBeGreaterThan(reads.length / 2);
  });

  it('there are none while all stand together', () => {
    const turns = new ReadingTurns();
    expect(turns.take({ low: 7, head: 7, now: 0 })).toEqual({ offset: 7, endsAt: Number.POSITIVE_INFINITY });
  });
});
