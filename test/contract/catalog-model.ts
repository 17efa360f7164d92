import { expect } from 'vitest';
import type { Catalog, Versioned } from '../../src/ports/catalog.ts';

export interface CatalogCommands {
  /** Instances of one catalog; each command goes to one of them. */
  readonly instances: readonly Catalog[];
  /** Of the ids that the commands use. */
  readonly prefix: string;
  /** What decides: which command, which instance, which id. */
  readonly choices: Iterator<number>;
  readonly count: number;
}

const waiting = { signal: new AbortController().signal };

/** Runs commands on the collection `sink` against a map that does the same, and follows `changes` with a replica. */
export async function runCatalogCommands({ instances, prefix, choices, count }: CatalogCommands): Promise<void> {
  const model = new Map<string, Versioned>();
  const replica = new Map<string, Versioned>();
  let token: string | undefined;
  let highest = 0;
  const choose = (below: number): number => Number(choices.next().value) % below;
  const instance = (): Catalog => instances[choose(instances.length)] ?? fail();

  const write = async (id: string, expected: number | undefined): Promise<void> => {
    const value = { n: choose(100) };
    const result = await instance().compareAndSet({ collection: 'sink', id, expected, value }, waiting);
    expect(result.kind).toBe(model.get(id)?.revision === expected ? 'written' : 'conflict');
    if (result.kind === 'conflict') return;
    expect(result.revision).toBeGreaterThan(highest);
    highest = result.revision;
    model.set(id, { id, revision: result.revision, value });
  };
  const remove = async (id: string, expected: number): Promise<void> => {
    const removed = await instance().remove('sink', id, expected, waiting);
    expect(removed).toBe(model.get(id)?.revision === expected);
    if (removed) model.delete(id);
  };
  const follow = async (): Promise<void> => {
    const changes = await instance().changes({ collection: 'sink', token, maxWaitMs: 0 }, waiting);
    token = changes.token;
    if (changes.complete) replica.clear();
    for (const document of changes.written) if (document.id.startsWith(prefix)) replica.set(document.id, document);
    for (const id of changes.removed) replica.delete(id);
    expect(sorted(replica)).toEqual(sorted(model));
  };

  for (let n = 0; n < count; n += 1) {
    const id = `${prefix}${choose(4)}`;
    const known = model.get(id)?.revision;
    const command = choose(10);
    if (command < 4) await write(id, known);
    else if (command < 5) await write(id, highest + 1);
    else if (command < 7) await remove(id, known ?? highest);
    else if (command < 8) expect(await instance().get('sink', id, waiting)).toEqual(model.get(id));
    else await follow();
    expect(await instance().list({ collection: 'sink', prefix }, waiting)).toEqual(sorted(model));
  }
  await follow();
}

function sorted(documents: ReadonlyMap<string, Versioned>): readonly Versioned[] {
  return [...documents.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function fail(): never {
  throw new Error('no instance');
}
