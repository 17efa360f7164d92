import type { Clock } from '../../core/clock.ts';
import type { Incarnation } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { parseObjectName } from '../../core/object-name.ts';
import { floorNow, namedObjects, raiseFloor } from '../../core/progress/seal.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { lastHandedOut } from '../../documents/last-handed-out.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import { StandingFloors } from './standing-floors.ts';
import { transit } from '../replica/progress-document.ts';

export interface CollectorOptions {
  readonly catalog: Catalog;
  readonly objects: ObjectStore;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly observer: Pick<ImportObserver, 'objectsCollected'>;
}

interface StampedName {
  readonly name: string;
  readonly stamp: number;
}

interface Found extends Waiting {
  /** Older than any upload under way, or ahead of the clock. */
  readonly names: readonly StampedName[];
  readonly below: number;
}

/**
 * Removes staged objects that no document names any more (rule 5 of the protocol): raises the floor first, so that no late seal
 * can name an object that is being removed, and takes the names from that very revision. It removes nothing from a store that is
 * not this installation's, and nothing of incarnations that the catalog never handed out.
 */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #floors = new StandingFloors();

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** One round; answers how many objects it removed. */
  async collect(options: Waiting): Promise<number> {
    if (!(await this.#options.ownership.isOurs('staging', options))) return 0;
    const now = this.#options.clock.now();
    const below = floorNow(now);
    const last = await lastHandedOut(this.#options.catalog, options);
    const found = new Map<Incarnation, StampedName[]>();
    for await (const { name } of this.#options.objects.list('', options)) {
      const parsed = parseObjectName(name);
      if (parsed === undefined || (parsed.stamp >= below && parsed.stamp <= now)) continue;
      if (parsed.incarnation > last) continue;
      const names = found.get(parsed.incarnation) ?? [];
      names.push({ name, stamp: parsed.stamp });
      found.set(parsed.incarnation, names);
    }
    this.#floors.keep(new Set(found.keys()));
    let removed = 0;
    const failures: unknown[] = [];
    for (const [incarnation, names] of found) {
      try {
        removed += await this.#collectOf(incarnation, { names, below, ...options });
      } catch (thrown) {
        if (options.signal.aborted) throw thrown;
        failures.push(thrown);
      }
    }
    if (removed > 0) this.#options.observer.objectsCollected(removed);
    // A document that cannot be read protects only its own objects; the round has failed all the same.
    if (failures.length > 0) throw failures[0];
    return removed;
  }

  async #collectOf(incarnation: Incarnation, found: Found): Promise<number> {
    const { catalog, objects } = this.#options;
    const { names, below, signal } = found;
    const document = await transit(catalog, incarnation, {
      transition: (progress) => raiseFloor(progress, this.#reach(incarnation, progress.floor, found)),
      signal,
    });
    // Without a document nothing is sealed any more.
    const floor = document?.value.floor ?? (this.#hasStood(incarnation, 0) ? Number.POSITIVE_INFINITY : below);
    const named = document === undefined ? new Set<string>() : namedObjects(document.value);
    const unnamed = names.filter(({ name, stamp }) => stamp < floor && !named.has(name));
    for (const { name } of unnamed) await objects.delete(name, { signal });
    return unnamed.length;
  }

  /**
   * Where the floor goes: by the wall clock, or on from where it has stood for a lease if that is ahead of the clock.
   */
  #reach(incarnation: Incarnation, floor: number, { names, below }: Found): number {
    if (floor < below) return names.some(({ stamp }) => stamp < below) ? below : floor;
    return this.#hasStood(incarnation, floor) ? floor + limits.uploadLeaseMs : floor;
  }

  #hasStood(incarnation: Incarnation, floor: number): boolean {
    return this.#floors.hasStood(incarnation, { floor, monotonic: this.#options.clock.monotonic() });
  }
}
