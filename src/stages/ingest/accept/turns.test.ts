import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Notes its name at each step. */
function* work(name: string, steps: number, notes: string[]): Generator<void, string> {
  for (let step = 1; step < steps; step += 1) {
    notes.push(name);
    yield;
  }
  notes.push(name);
  return name;
}

test('D8: what takes one step is done at once', () => {
  const notes: string[] = [];
  expect([new Turns().run(work('a', 1, notes)), notes]).toEqual(['a', ['a']]);
});

test('D8: a turn of the event loop takes one step of one request, in rotation, and leaves room for others', async () => {
  const turns = new Turns();
  const notes: string[] = [];
  const done = Promise.all([turns.run(work('a', 3, notes)), turns.run(work('b', 4, notes))]);
  expect(notes).toEqual(['a', 'b']);
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    notes.push('.');
  }
  expect(await done).toEqual(['a', 'b']);
  expect(notes.join('')).toBe('aba.b.a.b.b.');
});
