import { afterEach, beforeEach } from 'vitest';
import { startAdmin, type AdminHarness } from './admin-harness.ts';
import { Fuse } from './fuse.ts';

export interface FusedAdmin {
  /** Through which everything goes that it writes. */
  readonly fuse: Fuse;
  readonly harness: AdminHarness;
}

/** The management API behind a fuse, another one for each test of the file that asks for it. */
export function fusedAdmin(): FusedAdmin {
  let current: FusedAdmin | undefined;
  const started = (): FusedAdmin => {
    if (current === undefined) throw new Error('the management API is there while a test runs, and not before');
    return current;
  };
  beforeEach(async () => {
    const fuse = new Fuse();
    current = { fuse, harness: await startAdmin((dependencies) => fuse.behind(dependencies)) };
  });
  afterEach(async () => {
    await current?.harness[Symbol.asyncDispose]();
    current = undefined;
  });
  return {
    get fuse() {
      return started().fuse;
    },
    get harness() {
      return started().harness;
    },
  };
}
