import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutBatch } from './cut-batch.ts';

it('cuts into batches within the limits, in order, and shares out the bytes', () => {
  const sizes = fc.array(fc.nat(20), { minLength: 1 });
  const limits = fc.record({ events: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(sizes, limits, fc.nat(1000), (lengths, most, bytes) => {
      const events = lengths.map((length, at) => ({ place: String(at), body: new Uint8Array(length) }));
      const cut = [...cutBatch({ events, bytes }, most)];
      expect(cut.flatMap((one) => one.events)).toEqual(events);
      expect(cut.reduce((sum, one) => sum + one.bytes, 0)).toBe(bytes);
      for (const one of cut) {
        const held = one.events.reduce((sum, { body }) => sum + body.length, 0);
        expect(one.events.length <= most.events && (one.events.length === 1 || held <= most.bytes)).toBe(true);
      }
    }),
  );
});
