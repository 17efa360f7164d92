import type { Clock } from '../../core/clock.ts';
import type { Incarnation } from '../../core/ids.ts';
import { parseObjectName } from '../../core/object-name.ts';
import { floorNow, namedObjects, raiseFloor } from '../../core/progress/seal.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { lastHandedOut } from '../claims/last-handed-out.ts';
import type { ImportObserver } from './import-observer.ts';
import { transit } from '../replica/progress-document.ts';

export interface CollectorOptions {
  readonly catalog: Catalog;
  readonly objects: ObjectStore;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly observer: Pick<ImportObserver, 'objectsCollected'>;
}

/**
 * Removes staged objects that no document names any more (rule 5 of the protocol): raises the floor first, so that no late seal
 * can name an object that is being removed, and takes the names from that very revision. It removes nothing from a store that is
 * not this installation's, and nothing of incarnations that the catalog never handed out.
 */
export class Collector {
  readonly #options: CollectorOptions;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** One round; answers how many objects it removed. */
  async collect(options: Waiting): Promise<number> {
    const below = floorNow(this.#options.clock.now());
    if (!(await this.#options.ownership.isOurs('staging', options))) return 0;
    const last = await lastHandedOut(this.#options.catalog, options);
    const old = new Map<Incarnation, string[]>();
    for await (const { name } of this.#options.objects.list('', options)) {
      const parsed = parseObjectName(name);
      if (parsed === undefined || parsed.stamp >= below) continue;
      if (parsed.incarnation > last) continue;
      const names = old.get(parsed.incarnation) ?? [];
      names.push(name);
      old.set(parsed.incarnation, names);
    }
    let removed = 0;
    const failures: unknown[] = [];
    for (const [incarnation, names] of old) {
      try {
        removed += await this.#collectOf(incarnation, { names, below, ...options });
      } catch (thrown) {
        if (options.signal.aborted) throw thrown;
        failures.push(thrown);
      }
    }
    if (removed > 0) this.#options.observer.objectsCollected(removed);
    // One document that cannot be read keeps its own objects only; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  async #collectOf(
    incarnation: Incarnation,
    {
      names,
      below,
      signal,
    }: { readonly names: readonly string[]; readonly below: number; readonly signal: AbortSignal },
  ): Promise<number> {
    const { catalog, objects } = this.#options;
    const document = await transit(catalog, incarnation, {
      transition: (progress) => raiseFloor(progress, below),
      signal,
    });
    const named = document === undefined ? new Set<string>() : namedObjects(document.value);
    const unnamed = names.filter((name) => !named.has(name));
    for (const name of unnamed) await objects.delete(name, { signal });
    return unnamed.length;
  }
}
