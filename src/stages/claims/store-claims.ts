import type { Incarnation } from '../../core/ids.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ClaimedStore, Holdings, Ownership } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { ensureInstallation, noteClaimed, noteLocation } from './installation.ts';
import { lastHandedOut } from '../../documents/last-handed-out.ts';
import type { MarkedStore } from './marked-store.ts';
import type { ClaimsObserver } from '../../telemetry/observe-claims.ts';

export interface ClaimsOptions {
  readonly catalog: Catalog;
  readonly stores: readonly MarkedStore[];
  /** An id that nobody has made before. */
  readonly makeId: () => InstallationId;
  readonly observer: ClaimsObserver;
  /**
   * Claims a store without a mark, whatever it holds and even if it had a mark before: an operator says that it belongs
   * to this installation.
   */
  readonly unconditionally?: boolean;
  /**
   * Is told of a store that is not this installation's and never was while this process ran: it could not be looked at when the process
   * began, which would have refused to start.
   */
  readonly onAstray?: (error: MillraceError) => void;
}

/** What was read of the installation, and noted since. */
interface KnownInstallation {
  readonly id: InstallationId;
  readonly claimed: Set<string>;
  readonly locations: Map<string, string>;
}

/** A store that does not answer within this keeps nobody from starting. */
const startMs = 5000;
/** A first claim looks at everything that a store holds. */
const lookMs = 300_000;

/**
 * Whose the stores of this process are. A store that has another installation's mark, or none though it had one, is not this
 * one's: nothing of it may be removed. Nor may anything while its mark cannot be read; everything else goes on meanwhile.
 */
export class StoreClaims implements Ownership, Holdings {
  readonly #options: ClaimsOptions;
  readonly #failures = new Map<ClaimedStore, MillraceError>();
  readonly #seen = new Set<ClaimedStore>();
  #known: KnownInstallation | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /**
   * Claims what nobody has claimed. `installation.foreign`, `installation.unmarked`, `installation.elsewhere` for a store that is not this
   * installation's, `catalog.newerDocument` for a catalog of newer releases; one that does not answer is looked at later.
   */
  async begin({ signal }: Waiting): Promise<void> {
    await this.#lookAtAll(startMs, signal);
    for (const failure of this.#failures.values())
      if (isNotOurs(failure) || failure.code === 'catalog.newerDocument') throw failure;
  }

  /** Claims every store that it may, and answers their names; rejects with what keeps it from one. */
  async claimAll(options: Waiting): Promise<readonly ClaimedStore[]> {
    const { stores } = this.#options;
    for (const store of stores) await this.#settle(store, options);
    return stores.map(({ name }) => name);
  }

  /** Looks at all stores again. */
  async look({ signal }: Waiting): Promise<void> {
    await this.#lookAtAll(lookMs, signal);
  }

  async isOurs(store: ClaimedStore, options: Waiting): Promise<boolean> {
    const found = this.#options.stores.find(({ name }) => name === store);
    return found !== undefined && this.#lookAt(found, options);
  }

  async assertOurs(store: ClaimedStore, options: Waiting): Promise<void> {
    if (await this.isOurs(store, options)) return;
    throw this.#failures.get(store) ?? new MillraceError('internal.bug', `the store "${store}" is not open here`);
  }

  async holds(incarnation: Incarnation, options: Waiting): Promise<boolean> {
    for (const store of this.#options.stores) if (await store.holds(incarnation, options)) return true;
    return false;
  }

  /** Why this process should get nothing to do: stores that are not this installation's. */
  get hindrances(): readonly string[] {
    return [...this.#failures.values()].filter(isNotOurs).map(({ message }) => message);
  }

  async #lookAtAll(withinMs: number, signal: AbortSignal): Promise<void> {
    await Promise.all(
      this.#options.stores.map(async (store) => {
        const late = AbortSignal.timeout(withinMs);
        const within = AbortSignal.any([signal, late]);
        await this.#lookAt(store, { signal: within }).catch((thrown: unknown) => {
          signal.throwIfAborted();
          this.#note(store.name, late.aborted ? this.#silence(store, withinMs) : MillraceError.fromUnknown(thrown));
        });
      }),
    );
  }

  /** The store has not answered in time, or the catalog, which is asked first. */
  #silence({ name, silence }: MarkedStore, withinMs: number): MillraceError {
    const within = `within ${withinMs / 1000} s`;
    if (this.#known === undefined)
      return new MillraceError('catalog.unavailable', `the catalog has not said ${within} which installation it is of`);
    return new MillraceError(silence, `the store "${name}" has not said ${within} whose it is`, {
      details: { store: name },
    });
  }

  async #lookAt(store: MarkedStore, options: Waiting): Promise<boolean> {
    try {
      await this.#settle(store, options);
    } catch (thrown) {
      if (options.signal.aborted) throw thrown;
      this.#note(store.name, MillraceError.fromUnknown(thrown));
      return false;
    }
    this.#seen.add(store.name);
    if (this.#failures.delete(store.name)) this.#options.observer.storeOurs(store.name);
    return true;
  }

  /**
   * Reports what is new. A store that was found to belong to another installation counts as such until it is seen that
   * it does not.
   */
  #note(store: ClaimedStore, error: MillraceError): void {
    const before = this.#failures.get(store);
    if (before?.code === error.code || (before !== undefined && isNotOurs(before) && !isNotOurs(error))) return;
    this.#failures.set(store, error);
    const { observer, onAstray } = this.#options;
    if (!isNotOurs(error)) return observer.ownerUnknown(store, error);
    observer.storeNotOurs(store, error);
    if (!this.#seen.has(store)) onAstray?.(error);
  }

  /** Resolves when the store has the mark of this installation. */
  async #settle(store: MarkedStore, options: Waiting): Promise<void> {
    const { catalog } = this.#options;
    const { id, claimed } = await this.#installation(options);
    const location = await this.#refuseElsewhere(store, options);
    const present = await store.mark.claimant(options);
    if (present === undefined) await this.#judgeUnmarked(store, options);
    else requireOwn(store.name, { id, claimant: present });
    // Before a first mark is made: of processes with different topologies, only one gets that far.
    if (location !== undefined) await this.#noteLocation(store, location, options);
    if (present === undefined) requireOwn(store.name, { id, claimant: await store.mark.claim(id, options) });
    if (claimed.has(store.name)) return;
    await noteClaimed(catalog, store.name, options);
    claimed.add(store.name);
  }

  async #installation(options: Waiting): Promise<KnownInstallation> {
    const { catalog, makeId } = this.#options;
    if (this.#known === undefined) {
      const { id, claimed, locations = [] } = await ensureInstallation(catalog, makeId(), options);
      this.#known ??= {
        id,
        claimed: new Set(claimed),
        locations: new Map(locations.map(({ store, location }) => [store, location])),
      };
    }
    return this.#known;
  }

  /** Where the store is, as this process sees it. */
  async #refuseElsewhere(store: MarkedStore, options: Waiting): Promise<string | undefined> {
    const here = await store.mark.location(options);
    const { id, locations } = await this.#installation(options);
    const known = locations.get(store.name);
    if (here === undefined || known === undefined || known === here || this.#options.unconditionally === true)
      return here;
    throw elsewhere(store.name, { id, here, known });
  }

  async #noteLocation({ name }: MarkedStore, here: string, options: Waiting): Promise<void> {
    const { catalog, unconditionally: replace = false } = this.#options;
    const { id, locations } = await this.#installation(options);
    if (locations.get(name) === here) return;
    const known = (await noteLocation(catalog, { store: name, location: here, replace }, options)) ?? here;
    locations.set(name, known);
    if (known !== here) throw elsewhere(name, { id, here, known });
  }

  /**
   * Judges a store without a mark. One that was marked before is another store now, and one with unknown incarnations
   * belongs to somebody.
   */
  async #judgeUnmarked(store: MarkedStore, options: Waiting): Promise<void> {
    if (this.#options.unconditionally === true) return;
    const { id, claimed } = await this.#installation(options);
    if (claimed.has(store.name)) throw unmarked(store.name, id);
    await this.#refuseUnknown(store, { id, ...options });
  }

  async #refuseUnknown(store: MarkedStore, { id, signal }: Waiting & { readonly id: InstallationId }): Promise<void> {
    const { catalog } = this.#options;
    let last = await lastHandedOut(catalog, { signal });
    for await (const incarnation of store.incarnations({ signal })) {
      if (incarnation <= last) continue;
      // It may have been handed out since.
      last = await lastHandedOut(catalog, { signal });
      if (incarnation > last) throw unknownContent(store.name, { id, incarnation });
    }
  }
}

function isNotOurs({ code }: MillraceError): boolean {
  return code === 'installation.foreign' || code === 'installation.unmarked' || code === 'installation.elsewhere';
}

function elsewhere(
  store: ClaimedStore,
  { id, here, known }: { readonly id: InstallationId; readonly here: string; readonly known: string },
): MillraceError {
  const message = `the store "${store}" of this process is ${here}, and that of the other processes of its installation, ${id}, is ${known}`;
  return new MillraceError('installation.elsewhere', message, { details: { store } });
}

function requireOwn(
  store: ClaimedStore,
  { id, claimant }: { readonly id: InstallationId; readonly claimant: InstallationId },
): void {
  if (claimant === id) return;
  const message = `the store "${store}" belongs to the installation ${claimant}, and this catalog to ${id}`;
  throw new MillraceError('installation.foreign', message, { details: { store } });
}

function unmarked(store: ClaimedStore, id: InstallationId): MillraceError {
  const message = `the store "${store}" had the mark of this installation, ${id}, and has none now`;
  return new MillraceError('installation.unmarked', message, { details: { store } });
}

function unknownContent(
  store: ClaimedStore,
  { id, incarnation }: { readonly id: InstallationId; incarnation: number },
) {
  const message = `the store "${store}" has no mark and holds something of incarnation ${incarnation}, which the catalog of this installation, ${id}, never handed out`;
  return new MillraceError('installation.unmarked', message, { details: { store, incarnation } });
}
