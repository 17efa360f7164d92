import type { ObjectContent, ObjectStore, StoredObject } from '../../src/ports/object-store.ts';
import type { Waiting } from '../../src/ports/waiting.ts';

/** An upload that waits for the test. */
export interface GatedPut {
  readonly name: string;
  /** Lets it go on. */
  readonly open: () => void;
  readonly fail: (error: Error) => void;
}

/** An object store whose uploads begin, and wait until the test lets each of them go on; an abort ends the wait. */
export class GatedPuts {
  /** Every upload that has begun, in the order in which they did. */
  readonly puts: GatedPut[] = [];
  readonly store: ObjectStore;
  /** How many are not done. */
  waiting = 0;

  constructor(store: ObjectStore) {
    const put = (name: string, content: ObjectContent, options: Waiting): Promise<StoredObject> =>
      this.#wait({ name, go: () => store.put(name, content, options) }, options);
    this.store = new Proxy(store, {
      get: (target, property) => {
        if (property === 'put') return put;
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }

  async #wait(
    { name, go }: { readonly name: string; readonly go: () => Promise<StoredObject> },
    { signal }: Waiting,
  ): Promise<StoredObject> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    this.puts.push({ name, open: resolve, fail: reject });
    this.waiting += 1;
    try {
      await promise;
      return await go();
    } finally {
      this.waiting -= 1;
      signal.removeEventListener('abort', abort);
    }
  }
}
