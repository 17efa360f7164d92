import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeptEvents } from './kept-events.ts';
import type { ShownEvent } from './shown-event.ts';

const anyEvent = fc.record({ arrivedAt: fc.integer({ min: 0, max: 20 }), bodySize: fc.constantFrom(1, 60_000) });
const anyTopic = fc.array(fc.array(anyEvent, { maxLength: 40 }), { minLength: 1, maxLength: 4 });

function eventsOf(topic: readonly (readonly { readonly arrivedAt: number; readonly bodySize: number }[])[]) {
  return topic.map((events, partition) =>
    events.map(({ arrivedAt, bodySize }, offset): ShownEvent => ({
      partition,
      offset,
      id: '',
      arrivedAt,
      remoteAddress: '',
      headers: {},
      body: new Uint8Array(bodySize),
      bodySize,
    })),
  );
}

const places = (events: readonly ShownEvent[], partition: number): readonly number[] =>
  events.filter((event) => event.partition === partition).map(({ offset }) => offset);

it('A50: answers from position to position have each event once, those of a partition in their order', () => {
  fc.assert(
    fc.property(anyTopic, fc.integer({ min: 1, max: 10 }), (random, limit) => {
      const topic = eventsOf(random);
      const next = topic.map(() => 0);
      const seen: ShownEvent[] = [];
      for (;;) {
        const kept = new KeptEvents({ limit, end: 'first' });
        const before = [...next];
        for (const [partition, events] of topic.entries()) {
          kept.add(events.slice(before[partition]));
          next[partition] = events.length;
        }
        for (const { partition, offset } of kept.left) next[partition] = Math.min(next[partition] ?? 0, offset);
        expect(kept.events.length).toBeLessThanOrEqual(limit);
        if (kept.events.length === 0) break;
        seen.push(...kept.events);
      }
      for (const [partition, events] of topic.entries())
        expect(places(seen, partition)).toEqual(events.map(({ offset }) => offset));
    }),
  );
});

it.each(['first', 'last'] as const)(
  'A50: of events that are too long together, the %s ones that fit are kept',
  (end) => {
    const [events = []] = eventsOf([Array.from({ length: 40 }, (_, arrivedAt) => ({ arrivedAt, bodySize: 60_000 }))]);
    const kept = new KeptEvents({ limit: 40, end });
    kept.add(events);
    // 60,000 bytes each, and what stands around them, in 1 MB.
    const shown = end === 'first' ? events.slice(0, 17) : events.slice(-17);
    expect(places(kept.events, 0)).toEqual(shown.map(({ offset }) => offset));
    expect(places(kept.left, 0)).toEqual(end === 'first' ? events.slice(17).map(({ offset }) => offset) : []);
  },
);

it('A50: the last events are the end of each partition, and as many as fit', () => {
  fc.assert(
    fc.property(anyTopic, fc.integer({ min: 1, max: 40 }), (random, limit) => {
      const topic = eventsOf(random);
      const kept = new KeptEvents({ limit, end: 'last' });
      for (const events of topic) kept.add(events);
      const all = topic.flat();
      const bytes = kept.events.reduce((sum, { body }) => sum + body.length, 0);
      expect(bytes).toBeLessThanOrEqual(1024 * 1024);
      const isFull = bytes + 60_000 + 41 * 200 > 1024 * 1024;
      expect(isFull || kept.events.length === Math.min(limit, all.length)).toBe(true);
      expect(kept.events.length).toBeLessThanOrEqual(limit);
      for (const [partition, events] of topic.entries()) {
        const shown = places(kept.events, partition);
        expect(shown).toEqual(events.slice(events.length - shown.length).map(({ offset }) => offset));
      }
    }),
  );
});
