import type { TaskOperation } from '../../core/task.ts';

/** What an operation needs for itself. Shared claims go together, an exclusive one goes with nothing. */
export interface LockClaim {
  readonly key: string;
  readonly mode: 'exclusive' | 'shared';
}

interface Holder {
  readonly mode: LockClaim['mode'];
  readonly operation: TaskOperation | 'settings';
}

export type LockResult =
  | { readonly kind: 'held'; release(): void }
  | { readonly kind: 'busy'; readonly key: string; readonly operation: Holder['operation'] };

/** One operation at a time per object, in this process. Correctness rests on compare-and-set; this gives clear answers. */
export class ObjectLocks {
  readonly #holders = new Map<string, Set<Holder>>();

  /** Takes all claims or none, at once. */
  acquire(claims: readonly LockClaim[], operation: Holder['operation']): LockResult {
    for (const { key, mode } of claims) {
      for (const holder of this.#holders.get(key) ?? []) {
        if (mode === 'exclusive' || holder.mode === 'exclusive')
          return { kind: 'busy', key, operation: holder.operation };
      }
    }
    const taken = claims.map(({ key, mode }) => ({ key, holder: { mode, operation } }));
    for (const { key, holder } of taken) {
      const holders = this.#holders.get(key) ?? new Set();
      this.#holders.set(key, holders.add(holder));
    }
    return {
      kind: 'held',
      release: () => {
        for (const { key, holder } of taken) {
          const holders = this.#holders.get(key);
          if (holders?.delete(holder) === true && holders.size === 0) this.#holders.delete(key);
        }
      },
    };
  }
}
