import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { MillraceError } from '../../src/core/millrace-error.ts';
import { DocumentKind } from '../../src/documents/document-kind.ts';
import type { Catalog, Versioned } from '../../src/ports/catalog.ts';
import { Replica } from '../../src/stages/replica/replica.ts';
import { eventually } from './eventually.ts';

const never = { signal: new AbortController().signal };
const kind = new DocumentKind({ collection: 'sink', schema: z.looseObject({}) });
/** So often each process changes a document, and never again: what is missed of the last change stays missed. */
const changesEach = 4;
/** As the supervisor of a role begins it again. */
const pauseMs = 50;

export interface FeedUnderFaults {
  /** Opens the catalog once more, as another process does. */
  readonly open: () => Promise<Catalog>;
  /** Each takes the server away and brings it back, while documents are written, removed and followed. */
  readonly faults: readonly (() => Promise<void>)[];
  /** How soon followers know all, once nothing is written any more. */
  readonly soonMs: number;
}

/** What became of one writer. */
interface Written {
  done: number;
  refused: number;
}

/**
 * Follows a collection that two processes change while faults befall its server, and says what is wrong: a change that a replica does not
 * have soon after, or was not told. Answers how many changes were made, and how many attempts failed.
 */
export async function followUnderFaults({ open, faults, soonMs }: FeedUnderFaults): Promise<Written> {
  await using writers = new AsyncDisposableStack();
  const catalogs = [writers.use(await open()), writers.use(await open())];
  const reader = writers.use(await open());
  const following = new AbortController();
  const followers = [reader, ...catalogs].map((catalog) => new Follower(catalog));
  const running = followers.map((follower) => follower.run(following.signal));
  const over = new AbortController();
  const counts: Written = { done: 0, refused: 0 };
  const writing = catalogs.map((catalog, writer) => write(catalog, { writer, counts, signal: over.signal }));
  try {
    for (const fault of faults) {
      const before = counts.done;
      await eventually(() => {
        if (counts.done < before + 50) throw new Error(`only ${counts.done - before} changes were made`);
      });
      await fault();
    }
  } finally {
    over.abort();
    await Promise.all(writing);
  }
  const there = await eventually(() => reader.list({ collection: 'sink', prefix: '' }, never), { withinMs: soonMs });
  await eventually(() => followers.forEach((follower) => follower.requireSame(there)), { withinMs: soonMs });
  following.abort();
  await Promise.all(running);
  return counts;
}

/** A replica, and what its listener was told. */
class Follower {
  readonly #replica: Replica<Record<string, unknown>>;
  readonly #told = new Map<string, unknown>();

  constructor(catalog: Catalog) {
    this.#replica = new Replica({ catalog, kind, onInvalid: () => undefined });
    this.#replica.listen(({ written, removed }) => {
      for (const id of written) this.#told.set(id, this.#replica.get(id)?.value);
      for (const id of removed) this.#told.delete(id);
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#replica.follow({ signal }).catch(() => undefined);
      if (!signal.aborted) await sleep(pauseMs);
    }
  }

  /** Throws unless it holds these documents, and was told of them. */
  requireSame(documents: readonly Versioned[]): void {
    const text = (all: readonly (readonly [string, unknown])[]): string => JSON.stringify(all.toSorted(byId));
    const wanted = text(documents.map(({ id, value }) => [id, value]));
    const held = text([...this.#replica.values()].map(({ id, value }) => [id, value]));
    const told = text([...this.#told]);
    if (held !== wanted) throw new Error(`a replica has ${held}, the catalog ${wanted}`);
    if (told !== wanted) throw new Error(`a listener was told ${told}, the catalog has ${wanted}`);
  }
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Writes and removes documents until the signal is aborted; what is unclear or was overtaken is left as it is. */
async function write(
  catalog: Catalog,
  { writer, counts, signal }: { readonly writer: number; readonly counts: Written; readonly signal: AbortSignal },
): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const id = String(Math.floor(n / changesEach)).padStart(6, '0');
    try {
      const expected = (await catalog.get('sink', id, never))?.revision;
      if (expected !== undefined && n % 3 === writer) await catalog.remove('sink', id, expected, never);
      else await catalog.compareAndSet({ collection: 'sink', id, expected, value: { writer, n } }, never);
      counts.done += 1;
      await sleep(2);
    } catch (thrown) {
      if (MillraceError.fromUnknown(thrown).code !== 'catalog.unavailable') throw thrown;
      counts.refused += 1;
      await sleep(pauseMs);
    }
  }
}
