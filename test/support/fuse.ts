import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDependencies } from '../../src/api/dependencies.ts';
import { MillraceError } from '../../src/core/millrace-error.ts';
import type { Waiting } from '../../src/ports/waiting.ts';

const writes = new Set<PropertyKey>([
  'compareAndSet',
  'remove',
  'createTopic',
  'deleteTopic',
  'createTable',
  'dropTable',
  'alterTable',
  'emptyTable',
  'deleteLetters',
  'renameTable',
  'dropBucket',
  'createLedger',
  'deleteLedger',
  'openLoad',
  'load',
  'abandonLoad',
  'forgetLoad',
]);

/**
 * What happens from a write on: nothing answers any more, as if the process had been stopped right there; or everything
 * is refused until the fuse is mended; or one write happens and its answer is lost; or one write waits until it is released, as that of a
 * process that was stopped for a while.
 */
export type Fault = 'silence' | 'outage' | 'lostAnswer' | 'pause';

/** Stands between the API and its stores, lets so many writes through, and then makes the fault. */
export class Fuse {
  #left = Number.POSITIVE_INFINITY;
  #counts: (given: readonly unknown[]) => boolean = () => true;
  #fault: Fault = 'silence';
  #hasBurnt = false;
  #burnt = Promise.withResolvers<boolean>();
  #released = Promise.withResolvers<void>();

  /** The same dependencies, behind the fuse. */
  behind(dependencies: ApiDependencies): ApiDependencies {
    const { catalog, tables, ledger, loads, sourceLog, sinkLog } = dependencies;
    return {
      ...dependencies,
      catalog: this.guard(catalog),
      tables: this.guard(tables),
      ledger: this.guard(ledger),
      loads: this.guard(loads),
      sourceLog: this.guard(sourceLog),
      sinkLog: this.guard(sinkLog),
    };
  }

  /** Lets `count` writes through. Only those count that `counts` answers true for by their arguments; the others always pass. */
  burnAfter(count: number, fault: Fault, counts: (given: readonly unknown[]) => boolean = () => true): void {
    this.#burnt = Promise.withResolvers<boolean>();
    this.#released = Promise.withResolvers<void>();
    this.#fault = fault;
    this.#hasBurnt = false;
    this.#counts = counts;
    this.#left = count;
  }

  mend(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** Lets the write go on that was paused. */
  release(): void {
    this.#released.resolve();
  }

  /** True once the fault has happened. */
  get isBurnt(): boolean {
    return this.#hasBurnt;
  }

  /** True once it is burnt; false when the request was answered and nothing runs any more. */
  burntOrQuiet(request: Promise<unknown>, isQuiet: () => Promise<boolean>): Promise<boolean> {
    const quiet = (async () => {
      await request;
      while (this.#left >= 0 && !(await isQuiet())) await sleep(2);
      return this.#left < 0;
    })();
    return Promise.race([this.#burnt.promise, quiet]);
  }

  /** One store behind the fuse. */
  guard<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member as (...given: unknown[]) => Promise<unknown>;
        if (!writes.has(name)) return method.bind(target);
        return (...given: unknown[]) => this.#write(() => method.apply(target, given), given);
      },
    });
  }

  #write(perform: () => Promise<unknown>, given: readonly unknown[]): Promise<unknown> {
    if (!this.#counts(given)) return perform();
    if (this.#left > 0) {
      this.#left -= 1;
      return perform();
    }
    this.#left = -1;
    this.#hasBurnt = true;
    this.#burnt.resolve(true);
    switch (this.#fault) {
      case 'silence':
        return untilAborted(given.at(-1) as Waiting);
      case 'outage':
        return Promise.reject(unavailable());
      case 'lostAnswer':
        this.mend();
        return perform().then(() => Promise.reject(unavailable()));
      case 'pause':
        this.#left = Number.POSITIVE_INFINITY;
        return this.#released.promise.then(perform);
      default:
        return this.#fault satisfies never;
    }
  }
}

function unavailable(): MillraceError {
  return new MillraceError('catalog.unavailable', 'no answer: a fault of the test');
}

function untilAborted({ signal }: Waiting): Promise<never> {
  return new Promise((_, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}
