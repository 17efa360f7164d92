import { expect, test } from 'vitest';
import { limits } from '../core/limits.ts';
import { EventRoom } from './event-room.ts';
import { boundedByBody } from './memory.ts';

function roomOf(text: string, { sources = 1, bytes = Number.POSITIVE_INFINITY, answerBytes = 0 } = {}) {
  const held: number[] = [];
  const heldForAnswer: number[] = [];
  const holdIn = (list: number[]) => (more: number) => {
    list.push(more);
    return more <= bytes;
  };
  const memory = { ...boundedByBody, hold: holdIn(held), holdAnswer: holdIn(heldForAnswer) };
  return { held, heldForAnswer, room: new EventRoom(memory, { headers: ['name', text], sources, answerBytes }) };
}

test('D8: each event counts with the headers of its request, in every source; the first is counted already', () => {
  const { held, room } = roomOf('x'.repeat(80), { sources: 2 });
  expect(room.take(1)).toBeUndefined();
  expect(room.take(10)).toBeUndefined();
  const each = 512 + 'name'.length + 80 + 2 * 8;
  expect(held).toEqual([each, 20 * each]);
  const single = roomOf('x');
  expect([single.room.take(0), single.room.take(1), single.held]).toEqual([undefined, undefined, []]);
});

test('D8: events times headers are bounded, however few bytes were sent, before memory is asked for', () => {
  const { held, room } = roomOf('x'.repeat(16 * 1024));
  const most = Math.floor(limits.batchHeaderBytes / (16 * 1024 + 20));
  expect(room.take(most)).toBeUndefined();
  expect(room.take(1)).toMatchObject({ fault: 'tooLarge', name: 'payloadTooLarge' });
  expect(held).toHaveLength(1);
});

test('D8: a request of more events than there is room for is refused', () => {
  const { room } = roomOf('x', { bytes: 10_000 });
  expect(room.take(10)).toBeUndefined();
  expect(room.take(100)).toMatchObject({ name: 'tooManyRequests', stored: 'no' });
});

test('D8: what the answer will say of events is asked for before they are stored', () => {
  const { heldForAnswer, room } = roomOf('x', { sources: 2, answerBytes: 100 });
  expect([room.take(10), heldForAnswer]).toEqual([undefined, [1900]]);
  const narrow = roomOf('x', { bytes: 10_000, answerBytes: 2000 });
  expect(narrow.room.take(10)).toMatchObject({ name: 'tooManyRequests', stored: 'no' });
});
