import { afterAll, beforeAll } from 'vitest';
import type { ApiDependencies } from '../../src/api/dependencies.ts';
import type { ObjectStore } from '../../src/ports/object-store.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { startAdmin, type AdminHarness } from '../support/admin-harness.ts';

/** Stores that take the place of the embedded ones. */
export interface StoresOnTest extends AsyncDisposable {
  readonly tables?: TableStore;
  readonly objects?: ObjectStore;
}

export type OpenStores = () => Promise<StoresOnTest>;

/** The management API over these stores, for the `describe` that this is called in; embedded ones where there are none. */
export function adminOnStores(
  openStores: OpenStores,
  more: Partial<ApiDependencies> = {},
): { readonly harness: AdminHarness } {
  let started: AdminHarness | undefined;
  const stack = new AsyncDisposableStack();
  beforeAll(async () => {
    const { tables, objects } = stack.use(await openStores());
    started = stack.use(
      await startAdmin((given) => ({
        ...given,
        ...more,
        ...(tables && { tables, ledger: tables, loads: tables, pages: tables }),
        ...(objects && { objects }),
      })),
    );
  });
  afterAll(() => stack.disposeAsync());
  return {
    get harness() {
      if (started === undefined) throw new Error('the management API is there while tests run, and not before');
      return started;
    },
  };
}

/** The embedded ones. */
export const embedded: OpenStores = () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() });
