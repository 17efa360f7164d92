import { expect, it } from 'vitest';
import { ProgressWatch } from './progress-watch.ts';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

it('a watch that is over keeps no process alive, also when what it watched moves once more', () => {
  const before = timers();
  const watch = new ProgressWatch(new AbortController().signal, { stillMs: 60_000, reason: () => new Error('stands') });
  expect(timers()).toBe(before + 1);
  watch[Symbol.dispose]();
  expect(timers()).toBe(before);
  watch.progress();
  expect(timers()).toBe(before);
});
