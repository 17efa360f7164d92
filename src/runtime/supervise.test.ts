import { describe, expect, it } from 'vitest';
import type { Clock } from '../core/clock.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { Service } from '../core/service.ts';
import { RetryPacing } from '../core/retry-pacing.ts';
import { Supervised, type SuperviseOptions } from './supervise.ts';

/** Sleepers wait until the test lets them go on. */
class HeldClock implements Clock {
  readonly sleeps: number[] = [];
  #wake: (() => void) | undefined;

  now(): number {
    return 0;
  }

  monotonic(): number {
    return 0;
  }

  wake(): void {
    this.#wake?.();
  }

  sleep(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.sleeps.push(ms);
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

class TestService implements Service {
  readonly id = 'test';
  readonly ready?: Promise<void>;
  readonly #ended = Promise.withResolvers<void>();
  disposed = 0;
  /** What closing waits for. */
  closed: Promise<void> | undefined;

  constructor(ready?: Promise<void>) {
    if (ready !== undefined) this.ready = ready;
  }

  run(): Promise<void> {
    return this.#ended.promise;
  }

  end(): void {
    this.#ended.resolve();
  }

  fail(): void {
    this.#ended.reject(new MillraceError('log.unavailable', 'the log is away'));
  }

  async drain(): Promise<void> {
    this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disposed += 1;
    this.end();
    await this.closed;
  }
}

function supervise(make = (): TestService => new TestService()) {
  const clock = new HeldClock();
  const made: TestService[] = [];
  const failures: Parameters<SuperviseOptions['onFailure']>[0][] = [];
  const supervised = new Supervised(
    () => {
      const service = make();
      made.push(service);
      return service;
    },
    {
      clock,
      retry: new RetryPacing({ firstMs: 100, capMs: 300 }, () => 0.5),
      onFailure: (failure) => failures.push(failure),
      signal: new AbortController().signal,
    },
  );
  return { clock, made, failures, supervised };
}

async function turns(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('supervision', () => {
  it('makes a service that fails anew, after a pause that doubles up to its cap', async () => {
    const { clock, made, failures, supervised } = supervise();
    for (let life = 0; life < 4; life += 1) {
      made[life]?.fail();
      await turns();
      expect(supervised.failure).toBeInstanceOf(MillraceError);
      clock.wake();
      await turns();
      expect(supervised.failure).toBeUndefined();
    }
    expect(clock.sleeps).toEqual([100, 200, 300, 300]);
    expect(failures.map(({ error }) => error.code)).toEqual(Array.from({ length: 4 }, () => 'log.unavailable'));
    expect(made.map(({ disposed }) => disposed)).toEqual([1, 1, 1, 1, 0]);
    await supervised.drain();
  });

  it('takes a service that ends though nobody asked it to for one that failed', async () => {
    const { made, failures, supervised } = supervise();
    made[0]?.end();
    await turns();
    expect(supervised.failure).toBeInstanceOf(MillraceError);
    expect(failures[0]?.error.message).toBe('service "test" ended by itself');
    await supervised.drain();
    expect(made).toHaveLength(1);
  });

  it('calls a service healthy again only when it is ready', async () => {
    const ready = Promise.withResolvers<void>();
    const { clock, made, supervised } = supervise(() => new TestService(ready.promise));
    made[0]?.fail();
    await turns();
    clock.wake();
    await turns();
    expect([made.length, supervised.failure === undefined]).toEqual([2, false]);
    ready.resolve();
    await turns();
    expect(supervised.failure).toBeUndefined();
    await supervised.drain();
  });

  it('L1: says that a service failed as soon as it has, not when it is closed', async () => {
    const { made, failures, supervised } = supervise();
    const closing = Promise.withResolvers<void>();
    const [first] = made;
    if (first === undefined) throw new Error('no service was made');
    first.closed = closing.promise;
    first.fail();
    await turns();
    expect([supervised.failure?.code, failures]).toEqual(['log.unavailable', []]);
    closing.resolve();
    await turns();
    expect([supervised.failure?.code, failures.length]).toEqual(['log.unavailable', 1]);
    await supervised.drain();
  });

  it('D10: a service that ends because it is to leave has not failed', async () => {
    const { made, failures, supervised } = supervise();
    const closing = Promise.withResolvers<void>();
    const [first] = made;
    if (first === undefined) throw new Error('no service was made');
    first.closed = closing.promise;
    const drained = supervised.drain();
    await turns();
    expect([supervised.failure, failures]).toEqual([undefined, []]);
    closing.resolve();
    await drained;
  });

  it('goes on when a service cannot be closed or made, and tells the failure that came first', async () => {
    let lives = 0;
    const { clock, made, failures, supervised } = supervise(() => {
      lives += 1;
      if (lives === 2) throw new MillraceError('catalog.unavailable', 'the catalog is away');
      return new TestService();
    });
    const [first] = made;
    if (first === undefined) throw new Error('no service was made');
    first.closed = Promise.reject(new Error('cannot be closed'));
    first.fail();
    for (let life = 0; life < 2; life += 1) {
      await turns();
      clock.wake();
    }
    await turns();
    expect(failures.map(({ error }) => error.code)).toEqual(['log.unavailable', 'catalog.unavailable']);
    expect([lives, supervised.failure === undefined, supervised.current === made[1]]).toEqual([3, true, true]);
    await supervised.drain();
  });

  it('D10: a drain during a pause waits for nothing', async () => {
    const { made, supervised } = supervise();
    made[0]?.fail();
    await turns();
    await supervised.drain();
    expect(made).toHaveLength(1);
  });

  it('D10: a drain ends the service and starts no other', async () => {
    const { made, failures, supervised } = supervise();
    await supervised.drain();
    expect([made.length, failures.length]).toEqual([1, 0]);
  });
});
