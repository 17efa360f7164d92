import { getLastVersion } from 'lmdb';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Collection } from '../../ports/catalog.ts';
import type { CatalogChange } from '../catalog-change.ts';
import { Breakage, type BrokenListener } from './breakage.ts';
import { freshSnapshot, readCounter, type CatalogEnvironment, type Ledger } from './catalog-environment.ts';
import { documentKey, revisionKey, revisionOf, revisionsAfter } from './catalog-keys.ts';
import { catalogErrorFromCommit } from './catalog-errors.ts';

interface Waiting {
  readonly change: CatalogChange;
  readonly resolve: (revision: number | undefined) => void;
  readonly reject: (error: MillraceError) => void;
}

export interface WriterOptions {
  /** At least this many removals of each collection stay known, so that `changes` can name them. */
  readonly keptRemovals: number;
  readonly onBroken: BrokenListener | undefined;
  /** Called after a commit with the collections that it changed. */
  readonly onCommit: (collections: readonly Collection[]) => void;
}

/** The JSON text of a `Ledger` is shorter. */
const ledgerBytes = 100;
/** A commit takes at most about so much JSON text (characters), and at least one change. */
const maxCommitLength = 8 * 1024 * 1024;
/** Above this much waiting JSON text, or this many changes, further ones are refused (D8). */
const maxWaitingLength = 64 * 1024 * 1024;
const maxWaitingChanges = 10_000;

/**
 * Group commit of conditional writes. What the changes of a collection do is worked out here on a fresh snapshot, then
 * written as one block under the condition that the collection's counter is still the one of the snapshot; LMDB checks
 * that and writes on its own thread, so the write lock of the environment never waits for JavaScript, and a worker that
 * dies cannot keep it. A block that lost against another thread is worked out again; each loss means that another
 * thread succeeded.
 */
export class CatalogWriter {
  readonly #environment: CatalogEnvironment;
  readonly #options: WriterOptions;
  readonly #breakage: Breakage;
  #queue: Waiting[] = [];
  #queuedLength = 0;
  #running: Promise<void> | undefined;

  constructor(environment: CatalogEnvironment, options: WriterOptions) {
    this.#environment = environment;
    this.#options = options;
    const { onBroken } = options;
    this.#breakage = new Breakage({ what: 'catalog', path: environment.path, code: 'catalog.unavailable', onBroken });
  }

  /** The document's revision after the change, durable; undefined when it had another one than expected. */
  write(change: CatalogChange): Promise<number | undefined> {
    if (this.#breakage.error !== undefined) return Promise.reject(this.#breakage.error);
    const length = change.json?.length ?? 0;
    if (this.#queue.length >= maxWaitingChanges || this.#queuedLength + length > maxWaitingLength) {
      const message = `${this.#queue.length} writes of ${this.#queuedLength} characters wait for the disk already`;
      return Promise.reject(new MillraceError('catalog.unavailable', message));
    }
    this.#queuedLength += length;
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    this.#queue.push({ change, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  /** It refuses everything until the process has ended. */
  get isBroken(): boolean {
    return this.#breakage.error !== undefined;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Writes of the same turn share the first commit.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const byCollection = Map.groupBy(this.#take(), (waiting) => waiting.change.collection);
      const outcomes = await this.#commitTogether(byCollection);
      const written = outcomes.flatMap((outcome) => (outcome.kind === 'written' ? [outcome.collection] : []));
      if (written.length > 0) this.#options.onCommit(written);
      this.#queue.unshift(...outcomes.flatMap((outcome) => (outcome.kind === 'again' ? outcome.waiting : [])));
    }
    this.#running = undefined;
  }

  /** All blocks are one transaction with one sync. */
  async #commitTogether(byCollection: ReadonlyMap<Collection, readonly Waiting[]>): Promise<readonly BlockOutcome[]> {
    let blocks: readonly Promise<BlockOutcome>[] = [];
    const batch = this.#environment.root.batch(() => {
      blocks = [...byCollection].map(([collection, waiting]) => this.#commit(collection, waiting));
    });
    // A failed transaction rejects the blocks with the same error.
    await this.#breakage.guard(batch).catch(() => false);
    return Promise.all(blocks);
  }

  #take(): readonly Waiting[] {
    let length = 0;
    let count = 0;
    for (const { change } of this.#queue) {
      length += change.json?.length ?? 0;
      if (count > 0 && length > maxCommitLength) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** Settles every one of the waiting changes, or gives them back to be tried again. */
  async #commit(collection: Collection, waiting: readonly Waiting[]): Promise<BlockOutcome> {
    try {
      if (this.#breakage.error !== undefined) throw this.#breakage.error;
      const plan = this.#plan(collection, waiting);
      if (plan.steps.length > 0 && !(await this.#write(plan))) return { kind: 'again', waiting };
      for (const [at, { resolve, change }] of waiting.entries()) {
        this.#queuedLength -= change.json?.length ?? 0;
        resolve(plan.revisions[at]);
      }
      return plan.steps.length > 0 ? { kind: 'written', collection } : { kind: 'nothing' };
    } catch (thrown) {
      const error = await catalogErrorFromCommit(thrown, this.#environment.path);
      for (const { reject, change } of waiting) {
        this.#queuedLength -= change.json?.length ?? 0;
        reject(error);
      }
      return { kind: 'nothing' };
    }
  }

  /** Works out on a fresh snapshot what each change does, later ones on top of earlier ones. */
  #plan(collection: Collection, waiting: readonly Waiting[]): Plan {
    freshSnapshot(this.#environment);
    const counter = readCounter(this.#environment, collection);
    const present = new Map<string, number | undefined>();
    const steps: Step[] = [];
    const revisions: (number | undefined)[] = [];
    let revision = counter.revision;
    for (const { change } of waiting) {
      const before = present.has(change.id) ? present.get(change.id) : this.#revisionOf(change);
      if (before !== change.expected) {
        revisions.push(undefined);
        continue;
      }
      revision += 1;
      revisions.push(revision);
      present.set(change.id, change.json === undefined ? undefined : revision);
      steps.push({ change, before, revision });
    }
    return { collection, counter, revision, steps, revisions };
  }

  #revisionOf({ collection, id }: CatalogChange): number | undefined {
    const bytes = this.#environment.documents.getBinaryFast(documentKey(collection, id));
    return bytes === undefined ? undefined : getLastVersion();
  }

  /** One block under the condition that the counter is unchanged. True: written and durable. */
  async #write(plan: Plan): Promise<boolean> {
    const { counters } = this.#environment;
    const { collection, counter } = plan;
    const expired = this.#expiredRemovals(plan);
    const added = plan.steps.filter(({ change }) => change.json === undefined).length;
    const ledger: Ledger = {
      floor: expired.at(-1) ?? counter.floor,
      removals: counter.removals + added - expired.length,
    };
    const block = (): void => {
      for (const step of plan.steps) this.#writeStep(step);
      for (const revision of expired) void this.#environment.removals.remove(revisionKey(collection, revision));
      void counters.put(collection, JSON.stringify(ledger), plan.revision);
    };
    using _claim = this.#claim(plan, expired.length);
    return await this.#breakage.guard(
      counter.revision === 0
        ? counters.ifNoExists(collection, block)
        : counters.ifVersion(collection, counter.revision, block),
    );
  }

  /** What makes the catalog larger leaves room for changes of what is there. `NoSpace`. */
  #claim({ steps }: Plan, expired: number): Disposable {
    const values = steps.map(({ change }) => Buffer.byteLength(change.json ?? ''));
    const named = steps.map(({ change }) => Buffer.byteLength(change.id));
    const removed =
      expired + steps.filter(({ change, before }) => change.json === undefined || before !== undefined).length;
    const isGrowth = steps.some(({ change, before }) => change.json !== undefined && before === undefined);
    const size = { values: [...values, ...named, ledgerBytes], removed };
    return this.#environment.space.claim(size, isGrowth ? 'growth' : 'upkeep');
  }

  #writeStep({ change: { collection, id, json }, before, revision }: Step): void {
    const { documents, changes, removals } = this.#environment;
    const key = documentKey(collection, id);
    if (before !== undefined) void changes.remove(revisionKey(collection, before));
    if (json === undefined) {
      void documents.remove(key);
      void removals.put(revisionKey(collection, revision), id);
    } else {
      void documents.put(key, json, revision);
      void changes.put(revisionKey(collection, revision), id);
    }
  }

  /** Oldest removals that go now: half of them each time twice the kept number is reached. */
  #expiredRemovals({ collection, counter }: Plan): readonly number[] {
    const { keptRemovals } = this.#options;
    if (counter.removals < 2 * keptRemovals) return [];
    const range = { ...revisionsAfter(collection, 0), limit: counter.removals - keptRemovals };
    return [...this.#environment.removals.getKeys(range)].map((key) => revisionOf(collection, key));
  }
}

type BlockOutcome =
  | { readonly kind: 'written'; readonly collection: Collection }
  | { readonly kind: 'again'; readonly waiting: readonly Waiting[] }
  | { readonly kind: 'nothing' };

interface Step {
  readonly change: CatalogChange;
  /** Revision that the document had. */
  readonly before: number | undefined;
  readonly revision: number;
}

interface Plan {
  readonly collection: Collection;
  readonly counter: { readonly revision: number } & Ledger;
  /** The collection's revision afterwards. */
  readonly revision: number;
  readonly steps: readonly Step[];
  /** In order of the changes: the revision that each got, undefined for a conflict. */
  readonly revisions: readonly (number | undefined)[];
}
