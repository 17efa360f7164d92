import { describe, expect, test } from 'vitest';
import { parseSinkId, parseSourceId } from '../ids.ts';
import { noNumbers, type SinkNumbers } from './sink-numbers.ts';
import { isWell, verdictOf, type Judged, type JudgedSink } from './verdict.ts';

function sink(sinkId: string, numbers: Partial<SinkNumbers>, more: Partial<JudgedSink> = {}): JudgedSink {
  return {
    sourceId: parseSourceId('shop'),
    sinkId: parseSinkId(sinkId),
    numbers: { ...noNumbers, ...numbers },
    isKnown: true,
    witness: { kind: 'compared', difference: { rows: 0, dead: 0 } },
    differentSamples: 0,
    ...more,
  };
}

function judged(sources: number, sinks: readonly JudgedSink[], unread = 0): Judged {
  return { sources, sinks, unread };
}

describe('N9: the verdict is one line', () => {
  test('all that was accepted is accounted for', () => {
    const all = [
      sink('orders', { accepted: 1_234_000, imported: 1_233_900, staged: 50, inFlight: 50 }),
      sink('mail', { accepted: 567, imported: 500, filtered: 60, dead: 7 }),
    ];
    expect(verdictOf(judged(3, all))).toBe(
      'All 1,234,567 events for 2 sinks of 3 sources are accounted for: 1,234,400 imported, 50 staged, 50 in flight, 60 filtered, 7 dead letters; nothing is missing.',
    );
    expect(isWell(judged(1, all))).toBe(true);
  });

  test('which sink misses what, and which counts what twice', () => {
    const all = [
      sink('orders', { accepted: 10, imported: 7 }),
      sink('mail', { accepted: 10, imported: 11 }),
      sink('well', { accepted: 10, imported: 10 }),
    ];
    expect(verdictOf(judged(1, all))).toBe(
      'Not everything is accounted for: shop/orders misses 3 events; shop/mail counts 1 event twice.',
    );
    expect(isWell(judged(1, all))).toBe(false);
  });

  test('a table that does not hold what is counted as imported', () => {
    const all = [
      sink(
        'orders',
        { accepted: 10, imported: 10 },
        { witness: { kind: 'compared', difference: { rows: 2, dead: -1 } } },
      ),
    ];
    expect(verdictOf(judged(1, all))).toBe(
      'Not everything is accounted for: shop/orders has 2 rows less in its table than it counts and has 1 dead letter more in their table than it counts.',
    );
    expect(isWell(judged(1, all))).toBe(false);
  });

  test('what is lost for good is no difference, and is not well', () => {
    const all = [sink('orders', { accepted: 10, imported: 6, holes: 3, givenUp: 1 })];
    expect(verdictOf(judged(1, all))).toBe(
      'All 10 events for 1 sink of 1 source are accounted for: 6 imported, 3 holes, 1 given up; 4 are lost: shop/orders lost 3 to retention and gave 1 up.',
    );
    expect(isWell(judged(1, all))).toBe(false);
  });

  test('what cannot be known is said, and is not well', () => {
    const all = [
      sink('orders', { accepted: 6, imported: 6 }, { isKnown: false }),
      sink('mail', { accepted: 10, imported: 9 }),
    ];
    expect(verdictOf(judged(1, all))).toBe(
      'Not everything is accounted for: shop/mail misses 1 event. What was accepted is not known now for shop/orders, because the topic of the source does not answer.',
    );
    expect(isWell(judged(1, all.slice(0, 1)))).toBe(false);
  });

  test('what the table store does not say, or has lost, is said, and is not well', () => {
    const imported = { accepted: 6, imported: 6 };
    const away = [sink('orders', imported, { witness: { kind: 'away' } }), sink('mail', imported)];
    expect(verdictOf(judged(1, away))).toBe(
      'What is in the tables is not known now for shop/orders, because the table store does not answer.',
    );
    const unfit = [sink('orders', imported, { witness: { kind: 'unfit' } }), sink('mail', imported)];
    expect(verdictOf(judged(1, unfit))).toBe(
      'What was imported is not proven for shop/orders: the table store has another ledger of it, or none, as one that was lost or brought back.',
    );
    expect([isWell(judged(1, away)), isWell(judged(1, unfit))]).toEqual([false, false]);
    expect(isWell(judged(1, [sink('older', imported, { witness: { kind: 'uncounted' } })]))).toBe(true);
  });

  test('a sink whose document cannot be read is said, and is not well', () => {
    for (const sinks of [[], [sink('orders', { accepted: 6, imported: 6 })]]) {
      expect(verdictOf(judged(1, sinks, 2))).toBe(
        '2 documents of sinks cannot be read by this release: what became of their events is not known.',
      );
      expect(isWell(judged(1, sinks, 2))).toBe(false);
    }
  });

  test('a difference that samples had and that is over', () => {
    expect(verdictOf(judged(1, [sink('orders', { accepted: 1, imported: 1 }, { differentSamples: 3 })]))).toBe(
      'The only event for 1 sink of 1 source is accounted for: 1 imported; nothing is missing. In this time 3 samples of shop/orders had a difference.',
    );
  });

  test('of many the first three are named', () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => sink(id, { accepted: 1 }));
    expect(verdictOf(judged(1, all))).toBe(
      'Not everything is accounted for: shop/a misses 1 event; shop/b misses 1 event; shop/c misses 1 event; and 2 more.',
    );
  });

  test('nothing was accepted, or nothing was to arrive', () => {
    expect(verdictOf(judged(1, [sink('orders', {})]))).toBe(
      'No event was accepted for 1 sink of 1 source; nothing is missing.',
    );
    expect(verdictOf(judged(2, []))).toBe('No event was to arrive anywhere: there are no sinks in 2 sources.');
  });
});
