import type { Catalog } from '../../ports/catalog.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { observeStore, type StoreObserver } from '../../telemetry/observe-stores.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { passingOn } from './passing-on.ts';

/** What answers when it is done. The others wait for something to happen, or hand out what is read later. */
const timedOf = {
  catalog: ['get', 'compareAndSet', 'remove', 'list', 'count'],
  tables: [
    'import',
    'abandon',
    'readLedger',
    'readLedgers',
    'createTable',
    'describeTable',
    'columnsOf',
    'load',
    'preview',
  ],
  staging: ['put', 'get', 'delete'],
} as const;

/** The catalog, whose calls are measured. */
export function timedCatalog(catalog: Catalog, telemetry: Telemetry): Catalog {
  return timed(catalog, timedOf.catalog, observeStore(telemetry, 'catalog'));
}

/** The tables, whose calls are measured. */
export function timedTables(tables: TableStore, telemetry: Telemetry): TableStore {
  return timed(tables, timedOf.tables, observeStore(telemetry, 'tables'));
}

/** The staging store, whose calls are measured. */
export function timedObjects(objects: ObjectStore, telemetry: Telemetry): ObjectStore {
  return timed(objects, timedOf.staging, observeStore(telemetry, 'staging'));
}

function timed<Store extends object>(
  store: Store,
  names: readonly (string & keyof Store)[],
  observer: StoreObserver,
): Store {
  const own: Partial<Store> = {};
  for (const name of names) {
    const call: unknown = Reflect.get(store, name, store);
    if (typeof call !== 'function') continue;
    const measured = async (...args: readonly unknown[]): Promise<unknown> => {
      const began = performance.now();
      try {
        const answer: unknown = await Reflect.apply(call, store, args);
        return answer;
      } finally {
        observer.answered(name, performance.now() - began);
      }
    };
    Object.assign(own, { [name]: measured });
  }
  return passingOn(store, own);
}
