import { expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { Service } from '../../core/service.ts';
import { Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { Heart } from './heart.ts';
import type { FromThread } from './thread-messages.ts';

it('L1, L2: a service that failed is told while it is closed, and pauses only when it is', async () => {
  const said: FromThread[] = [];
  using heart = new Heart((message) => said.push(message));
  const closing = Promise.withResolvers<void>();
  const make = (): Service => ({
    id: 'map',
    run: () => Promise.reject(new MillraceError('log.unavailable', 'the log is away')),
    drain: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => closing.promise,
  });
  const failed = Promise.withResolvers<void>();
  const retry = new RetryPacing({ firstMs: 60_000, capMs: 60_000 }, () => 0.5);
  const { signal } = new AbortController();
  const service = heart.watch(
    new Supervised(make, { clock: systemClock, retry, onFailure: () => failed.resolve(), signal }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  heart.beat();
  closing.resolve();
  await failed.promise;
  heart.beat();
  await service[Symbol.asyncDispose]();
  const beat = { kind: 'beat', rounds: undefined, failures: ['"map" failed and starts again: the log is away'] };
  expect(said[0]).toEqual({ ...beat, failures: [], isPausing: false });
  expect(said[1]).toEqual({ ...beat, isPausing: false });
  expect(said[2]).toEqual({ ...beat, isPausing: true });
});
