import { abortable } from '../../../src/core/abortable.ts';
import type { ErrorCode } from '../../../src/core/error-catalogue.ts';
import { MillraceError } from '../../../src/core/millrace-error.ts';
import type { Catalog } from '../../../src/ports/catalog.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { ObjectStore } from '../../../src/ports/object-store.ts';
import type { TableStore } from '../../../src/ports/table-store.ts';

export interface Ports {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly objects: ObjectStore;
  readonly tables: TableStore;
}

export type PortName = keyof Ports;

/**
 * What happens to a call: it is done and its answer is lost; it never arrives; it is refused now and arrives when
 * `deliver` is called; it is done, answered, and arrives once more then; it waits until then, or until its signal is aborted.
 */
export type FaultKind = 'lostAnswer' | 'lostRequest' | 'late' | 'twice' | 'held';

export interface Fault {
  readonly port: PortName;
  readonly method: string;
  readonly kind: FaultKind;
  /** How many calls it strikes; default 1. */
  readonly times?: number;
  /** Only calls with such arguments. */
  readonly when?: (given: readonly unknown[]) => boolean;
}

const unavailable: Readonly<Record<PortName, ErrorCode>> = {
  catalog: 'catalog.unavailable',
  sourceLog: 'log.unavailable',
  sinkLog: 'log.unavailable',
  objects: 'objects.unavailable',
  tables: 'table.unavailable',
};

interface Pending {
  readonly fault: Fault;
  left: number;
}

/** Stands between a member and its stores and makes the faults of a network and of stores that are away. */
export class Faults {
  readonly #pending = new Set<Pending>();
  readonly #away = new Set<PortName>();
  readonly #late: (() => Promise<unknown>)[] = [];
  #struck = 0;

  /** The same ports behind these faults. */
  behind(ports: Ports): Ports {
    return {
      catalog: this.before('catalog', ports.catalog),
      sourceLog: this.before('sourceLog', ports.sourceLog),
      sinkLog: this.before('sinkLog', ports.sinkLog),
      objects: this.before('objects', ports.objects),
      tables: this.before('tables', ports.tables),
    };
  }

  /** How many calls have been struck. */
  get struck(): number {
    return this.#struck;
  }

  /** True when no fault waits for its call. */
  get isSpent(): boolean {
    return this.#pending.size === 0;
  }

  add(fault: Fault): void {
    this.#pending.add({ fault, left: fault.times ?? 1 });
  }

  /** Every call of the port is refused until it is `back`. */
  away(port: PortName): void {
    this.#away.add(port);
  }

  back(port: PortName): void {
    this.#away.delete(port);
  }

  /** Everything that is under way arrives now. */
  async deliver(): Promise<void> {
    await Promise.allSettled(this.#late.splice(0).map((arrive) => arrive()));
  }

  /** One port behind these faults. */
  before<Port extends object>(name: PortName, port: Port): Port {
    return new Proxy(port, {
      get: (target, property) => {
        const member: unknown = Reflect.get(target, property, target);
        if (typeof member !== 'function' || typeof property !== 'string') return member;
        const method = member as (...given: unknown[]) => Promise<unknown>;
        // It answers an iterable, not a promise.
        if (name === 'objects' && property === 'list') return method.bind(target);
        return (...given: unknown[]): Promise<unknown> =>
          this.#call(name, { method: property, given, perform: () => method.apply(target, given) });
      },
    });
  }

  #call(port: PortName, call: Call): Promise<unknown> {
    if (this.#away.has(port)) return Promise.reject(refusal(port, call));
    const fault = this.#take(port, call);
    if (fault === undefined) return call.perform();
    this.#struck += 1;
    switch (fault.kind) {
      case 'lostAnswer':
        return call.perform().then(() => Promise.reject(refusal(port, call)));
      case 'lostRequest':
        return Promise.reject(refusal(port, call));
      case 'late':
        this.#late.push(call.perform);
        return Promise.reject(refusal(port, call));
      case 'twice':
        this.#late.push(call.perform);
        return call.perform();
      case 'held': {
        const { promise, resolve } = Promise.withResolvers<void>();
        const answer = promise.then(call.perform);
        this.#late.push(() => {
          resolve();
          return answer;
        });
        const signal = signalOf(call.given);
        return signal === undefined ? answer : abortable(answer, signal);
      }
      default:
        return fault.kind satisfies never;
    }
  }

  #take(port: PortName, { method, given }: Call): Fault | undefined {
    for (const pending of this.#pending) {
      const { fault } = pending;
      if (fault.port !== port || fault.method !== method || fault.when?.(given) === false) continue;
      pending.left -= 1;
      if (pending.left === 0) this.#pending.delete(pending);
      return fault;
    }
    return undefined;
  }
}

/** What a caller waits by. */
function signalOf(given: readonly unknown[]): AbortSignal | undefined {
  const last = given.at(-1);
  const isWaiting = typeof last === 'object' && last !== null && 'signal' in last;
  return isWaiting && last.signal instanceof AbortSignal ? last.signal : undefined;
}

interface Call {
  readonly method: string;
  readonly given: readonly unknown[];
  readonly perform: () => Promise<unknown>;
}

function refusal(port: PortName, { method }: Call): MillraceError {
  return new MillraceError(unavailable[port], `${port}.${method} has no answer: a fault of the test`);
}
