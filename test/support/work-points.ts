import { MillraceError } from '../../src/core/millrace-error.ts';
import type { Catalog, CatalogWrite } from '../../src/ports/catalog.ts';
import type { OpenHttpClient } from '../../src/ports/http-client.ts';
import type { TableLoads } from '../../src/ports/table-loads.ts';
import type { Waiting } from '../../src/ports/waiting.ts';

/**
 * Places in the life of a job, each a call of the process that runs it:
 * - `take`: the write that makes the job this run's.
 * - `line`: a line of its log.
 * - `prepare`: its configuration is read.
 * - `page`: a page is asked for.
 * - `load`: the transaction that loads its tables; its files are written and closed.
 * - `state`: what it leaves for the next run is kept at the configuration.
 * - `give up`: nobody can load its tables any more.
 * - `end`: the write that ends it.
 */
export const workPoints = ['take', 'line', 'prepare', 'page', 'load', 'state', 'give up', 'end'] as const;
export type WorkPoint = (typeof workPoints)[number];

/**
 * What becomes of a worker at a point. `death`: nothing of it happens any more. `pause`: it stands still until it is released, as a process
 * that is stopped. `away`: no store answers until they are back; a call that had begun happened, and its answer is lost.
 */
export type Fate = 'death' | 'pause' | 'away';

export interface Plan {
  readonly point: WorkPoint;
  /** Whether the call of the point happens before, or not. */
  readonly moment: 'before' | 'after';
  /** What happens at the point; a function is awaited, with the signal of the call, and the worker goes on. */
  readonly fate: Fate | ((waiting: Waiting) => Promise<unknown>);
  /** Which time that the point is passed, from 1. */
  readonly time?: number;
}

interface Stores {
  readonly catalog: Catalog;
  readonly loads: TableLoads;
  readonly openHttp: OpenHttpClient;
}

/** The stores of one worker, which meets its fate at a point. */
export class WorkPoints implements Stores {
  readonly catalog: Catalog;
  readonly loads: TableLoads;
  readonly openHttp: OpenHttpClient;
  readonly #plan: Plan;
  readonly #reached = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  #passed = 0;
  #state: 'well' | Fate = 'well';

  constructor(plan: Plan, { catalog, loads, openHttp }: Stores) {
    this.#plan = plan;
    this.catalog = this.#guarded(catalog, catalogPoint, 'catalog.unavailable');
    this.loads = this.#guarded(loads, loadsPoint, 'table.unavailable');
    this.openHttp = (settings) => this.#guarded(openHttp(settings), httpPoint, 'http.noAnswer');
  }

  /** Resolves when the worker has come to the point. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** All is well again: who was stopped goes on, and stores answer. */
  release(): void {
    if (this.#state !== 'death') this.#state = 'well';
    this.#released.resolve();
  }

  #guarded<Store extends object>(store: Store, pointOf: PointOf, code: Unavailable): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member as (...given: unknown[]) => Promise<unknown>;
        const perform = (given: readonly unknown[]) => method.apply(target, [...given]);
        if (typeof name === 'symbol') return (...given: unknown[]) => perform(given);
        return (...given: unknown[]) =>
          this.#call({ point: pointOf(name, given[0]), perform: () => perform(given), code, options: given.at(-1) });
      },
    });
  }

  async #call({ point, perform, code, options }: Call): Promise<unknown> {
    await this.#live(code, options);
    const { moment, fate, time = 1 } = this.#plan;
    if (point !== this.#plan.point) return perform();
    this.#passed += 1;
    if (this.#passed !== time) return perform();
    const meet = async (): Promise<void> => {
      if (typeof fate === 'string') this.#state = fate;
      this.#reached.resolve();
      if (typeof fate !== 'string') await fate(options as Waiting);
      await this.#live(code, options);
    };
    if (moment === 'before') await meet();
    const answer = await perform();
    if (moment === 'after') await meet();
    return answer;
  }

  /** Resolves when the worker may go on. */
  async #live(code: Unavailable, options: unknown): Promise<void> {
    switch (this.#state) {
      case 'well':
        return;
      case 'death':
        return untilAborted(options as Waiting);
      case 'pause':
        return this.#released.promise;
      case 'away':
        // An API is no store.
        if (code !== 'http.noAnswer') throw new MillraceError(code, 'no answer: a fault of the test');
        return;
      default:
        this.#state satisfies never;
    }
  }
}

type Unavailable = 'catalog.unavailable' | 'table.unavailable' | 'http.noAnswer';
type PointOf = (method: string, given: unknown) => WorkPoint | undefined;

interface Call {
  readonly point: WorkPoint | undefined;
  readonly perform: () => Promise<unknown>;
  readonly code: Unavailable;
  readonly options: unknown;
}

const catalogPoint: PointOf = (method, given) => {
  if (method === 'get') return given === 'configuration' ? 'prepare' : undefined;
  if (method !== 'compareAndSet') return undefined;
  const { collection, value } = given as CatalogWrite;
  if (collection === 'job-event') return 'line';
  if (collection === 'configuration') return 'state';
  if (collection !== 'job') return undefined;
  const { phase } = value as { readonly phase: string };
  return phase === 'running' ? 'take' : phase === 'ended' ? 'end' : undefined;
};

const loadsPoint: PointOf = (method) => (method === 'load' ? 'load' : method === 'abandonLoad' ? 'give up' : undefined);

const httpPoint: PointOf = (method) => (method === 'send' ? 'page' : undefined);

/** Rejects with the reason of the signal, and not before. */
export function untilAborted({ signal }: Waiting): Promise<never> {
  return new Promise((_, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}
