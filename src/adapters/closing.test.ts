import { expect, it } from 'vitest';
import { Closing } from './closing.ts';

const here = new AbortController().signal;

it('lets callers pass until it begins, and closes once however often it is asked', async () => {
  const closing = new Closing('the log', 'log.closed');
  const { promise, resolve } = Promise.withResolvers<void>();
  let closed = 0;
  const close = (): Promise<void> => {
    closed += 1;
    return promise;
  };
  closing.check(here);
  const both = [closing.once(close), closing.once(close)];
  expect(() => closing.check(here)).toThrow(
    expect.objectContaining({ code: 'log.closed', message: 'the log was used after it was closed' }),
  );
  resolve();
  await Promise.all(both);
  expect(closed).toBe(1);
});

it('a caller who has left gets his own reason', () => {
  const gone = AbortSignal.abort(new Error('gone'));
  expect(() => new Closing('the catalog').check(gone)).toThrow('gone');
});
