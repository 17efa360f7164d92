import { randomFillSync } from 'node:crypto';
import * as fc from 'fast-check';
import { validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { createEventIds, idBytes, type EventIds } from './event-id.ts';

test('ids are UUIDs of version 7, ascending and never twice, however the clock jumps', () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 2 ** 20 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(times, (clock) => {
      const ids = createEventIds((words) => void randomFillSync(words));
      const made = clock.map((now) => ids(now));
      expect(made.every((id) => validate(id) && version(id) === 7)).toBe(true);
      expect([...made].sort()).toEqual(made);
      expect(new Set(made).size).toBe(made.length);
    }),
  );
});

test('an id that is written is the one that would have been made', () => {
  const times = fc.array(fc.integer({ min: 0, max: 2 ** 48 - 2 ** 20 }), { maxLength: 50 });
  fc.assert(
    fc.property(times, fc.nat(5), (clock, at) => {
      const [made, written] = [1, 2].map(() => createEventIds((words) => words.fill(0x1234))) as [EventIds, EventIds];
      for (const now of clock) {
        const memory = Buffer.alloc(at + idBytes + 1, 'x');
        written.write(now, memory, at);
        expect(memory.toString()).toBe(`${'x'.repeat(at)}${made(now)}x`);
      }
    }),
  );
});

test('ids hold the time, and 10,000 of one millisecond still ascend', () => {
  const ids = createEventIds((words) => words.fill(0));
  const made = Array.from({ length: 10_000 }, () => ids(0x0123456789ab));
  expect(made[0]).toBe('01234567-89ab-7000-8000-000000000000');
  expect(made[4095]).toBe('01234567-89ab-7fff-8000-000000000000');
  expect(made[4096]).toBe('01234567-89ac-7000-8000-000000000000');
  expect([...made].sort()).toEqual(made);
});
