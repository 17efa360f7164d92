import { branchOf, branchPrefix } from '../../documents/document-id.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { BranchId } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog, Changes } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** A source that is there, one that is deleted and can come back, or what is left of one that was erased. */
export type SourceState = 'there' | 'deleted' | 'erased';

/** Sources of a branch by id, as their documents say; ids of each state are put in order when they are asked for. */
class BranchSources {
  readonly #states = new Map<string, SourceState>();
  readonly #sorted = new Map<SourceState, readonly string[]>();
  readonly #counts: Record<SourceState, number> = { there: 0, deleted: 0, erased: 0 };

  note(id: string, state: SourceState | undefined): void {
    const before = this.#states.get(id);
    if (before === state) return;
    for (const changed of [before, state]) if (changed !== undefined) this.#sorted.delete(changed);
    if (before !== undefined) this.#counts[before] -= 1;
    if (state === undefined) this.#states.delete(id);
    else {
      this.#counts[state] += 1;
      this.#states.set(id, state);
    }
  }

  count(state: SourceState): number {
    return this.#counts[state];
  }

  has(id: string, state: SourceState): boolean {
    return this.#states.get(id) === state;
  }

  ids(state: SourceState): readonly string[] {
    const known = this.#sorted.get(state);
    if (known !== undefined) return known;
    const sorted = [...this.#states.keys()].filter((id) => this.#states.get(id) === state).toSorted();
    this.#sorted.set(state, sorted);
    return sorted;
  }
}

const none = new BranchSources();

/**
 * Which sources there are, without reading them: it follows what changes in their collection, so that a look at an installation of
 * 10,000 sources costs what has changed since the last one.
 */
export class SourceIndex {
  readonly #catalog: Pick<Catalog, 'changes'>;
  #branches = new Map<BranchId, BranchSources>();
  #token: string | undefined;

  constructor(catalog: Pick<Catalog, 'changes'>) {
    this.#catalog = catalog;
  }

  /** The sources of a branch as the catalog has them now: whatever was written before the call is in the answer. */
  async of(branchId: BranchId, options: Waiting): Promise<Pick<BranchSources, 'count' | 'has' | 'ids'>> {
    for (;;) {
      const token = this.#token;
      const changes = await this.#catalog.changes({ collection: 'source', token, maxWaitMs: 0 }, options);
      // Another look has overtaken this one: its answer is newer, and this one would bring back what has gone.
      if (this.#token !== token) continue;
      this.#apply(changes);
      return this.#branches.get(branchId) ?? none;
    }
  }

  #apply({ token, written, removed, complete }: Changes): void {
    if (complete) this.#branches = new Map();
    for (const { id, value } of written) this.#note(id, stateOf(sourceDocuments.tryParse(value, id)));
    for (const id of removed) this.#note(id, undefined);
    this.#token = token;
  }

  #note(id: string, state: SourceState | undefined): void {
    const branchId = branchOf(id);
    // It is in no branch: whoever follows the collection has reported it.
    if (branchId === undefined) return;
    const branch = this.#branches.get(branchId) ?? new BranchSources();
    this.#branches.set(branchId, branch);
    branch.note(id.slice(branchPrefix(branchId).length), state);
  }
}

/** One that cannot be read counts as there: whoever reads it is told why it cannot be. */
export function stateOf(source: Pick<Source, 'deleted' | 'erased'> | undefined): SourceState {
  if (source?.deleted === undefined) return 'there';
  return source.erased === undefined ? 'deleted' : 'erased';
}
