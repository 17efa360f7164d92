import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Database } from 'lmdb';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import type { Collection } from '../../ports/catalog.ts';
import { catalogErrorFromCommit } from './catalog-errors.ts';
import { openEnvironment, type Environment } from './client.ts';
import { ReservedSpace } from './space/reserved-space.ts';
import { SharedWords } from './space/shared-words.ts';

/** Layout of the stores below. */
const formatVersion = 1;

/** The stores of the catalog's own LMDB environment. All of one environment share one read snapshot. */
export interface CatalogEnvironment {
  readonly root: Environment;
  /** The real path: the same for every thread that has it open. */
  readonly path: string;
  readonly space: ReservedSpace;
  /** Made with the environment, so that a token of another environment is recognised. */
  readonly epoch: string;
  /** By collection: the collection's revision as LMDB version, and a `Ledger` as value. */
  readonly counters: Database<string, string>;
  /** By collection and id: JSON text, the document's revision as LMDB version. */
  readonly documents: Database<string, Buffer>;
  /** By collection and revision: id of the document that has this revision now. */
  readonly changes: Database<string, Buffer>;
  /** By collection and revision: id of a document that was removed then. */
  readonly removals: Database<string, Buffer>;
}

/** What a collection's counter says beside its revision. */
export interface Ledger {
  /** Removals up to this revision were forgotten. */
  readonly floor: number;
  /** How many entries `removals` has. */
  readonly removals: number;
}

/** Opens or makes the environment in the folder. `data.newerFormat`, `data.unusable`. */
export async function openCatalogEnvironment(path: string): Promise<CatalogEnvironment> {
  const root = openEnvironment({ path, kind: 'catalog', format: formatVersion });
  try {
    return {
      root,
      path: realpathSync(path),
      space: new ReservedSpace(path, new SharedWords(root)),
      epoch: await claimEpoch(root),
      counters: root.openDB({ name: 'counters', encoding: 'string', keyEncoding: 'ordered-binary', useVersions: true }),
      documents: root.openDB({ name: 'documents', encoding: 'string', keyEncoding: 'binary', useVersions: true }),
      changes: root.openDB({ name: 'changes', encoding: 'string', keyEncoding: 'binary', useVersions: false }),
      removals: root.openDB({ name: 'removals', encoding: 'string', keyEncoding: 'binary', useVersions: false }),
    };
  } catch (thrown) {
    await root.close();
    const { message } = await catalogErrorFromCommit(thrown, path);
    throw new MillraceError('data.unusable', `the catalog in "${path}" cannot be opened: ${message}`, {
      cause: thrown,
      details: { path },
    });
  }
}

/** Threads that open a new environment at the same time agree on one epoch: only the first write stays. */
async function claimEpoch(root: Environment): Promise<string> {
  const store = root.openDB<string, string>({
    name: 'epoch',
    encoding: 'string',
    keyEncoding: 'ordered-binary',
    useVersions: true,
  });
  root.resetReadTxn();
  const found = store.get('epoch');
  if (found !== undefined) return found;
  await store.ifNoExists('epoch', () => void store.put('epoch', randomUUID(), 1));
  root.resetReadTxn();
  const made = store.get('epoch');
  if (made === undefined) throw new MillraceError('data.unusable', 'its epoch cannot be written');
  return made;
}

/** Makes the next read see every commit of every thread so far; until the end of this turn reads are one snapshot. */
export function freshSnapshot(environment: CatalogEnvironment): void {
  environment.root.resetReadTxn();
}

/** A collection's counter in the present snapshot. */
export function readCounter(
  environment: CatalogEnvironment,
  collection: Collection,
): { readonly revision: number } & Ledger {
  const entry = environment.counters.getEntry(collection);
  if (entry === undefined) return { revision: 0, floor: 0, removals: 0 };
  const { floor, removals } = parseJsonText(entry.value) as Ledger;
  return { revision: entry.version ?? 0, floor, removals };
}
