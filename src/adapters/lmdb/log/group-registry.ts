import { randomUUID } from 'node:crypto';
import { parseJsonText } from '../../../core/parse-json-text.ts';
import { allMembers, memberId, memberKey, membersOf, type KeyRange } from './keys.ts';
import type { LogLayout } from './layout.ts';
import type { LogStore } from './store.ts';
import { partitionsOf, type GroupCandidate } from './assignment.ts';
import type { TopicRegistry, TopicRow } from './topic-registry.ts';

const parsedMembersKept = 64;

export interface GroupRegistryDeps {
  readonly store: LogStore;
  readonly layout: LogLayout;
  readonly topics: TopicRegistry;
  /** Name of the thread. */
  readonly instance: string;
}

interface MemberRow {
  readonly instance: string;
  readonly member: string;
  readonly topics: readonly string[];
}

export interface HeldPartition {
  readonly topic: TopicRow;
  readonly partition: number;
}

export interface GroupView {
  readonly layoutVersion: number;
  /** The very same as in the view before while nothing that it depends on has changed. */
  readonly held: readonly HeldPartition[];
}

/** What a member holds, and all that this follows from. */
interface Shared extends Pick<GroupView, 'held'> {
  readonly topics: readonly string[];
  readonly candidates: readonly GroupCandidate[];
  readonly deletions: number;
  /** Not all of its topics were there: one that is made since changes what it holds. */
  readonly isLacking: boolean;
}

/** Members of groups in the store: every thread computes from them what each member holds. */
export class GroupRegistry {
  readonly #deps: GroupRegistryDeps;
  readonly #parsed = new Map<string, { readonly row: Buffer; readonly candidate: GroupCandidate }>();
  /** Keys of members that left, by id, until it is written: what fails goes with this thread's next change. */
  readonly #leaving = new Map<string, Buffer>();
  /** By member: most changes of the layout are of no concern to it, and sharing out costs more the more topics there are. */
  readonly #shared = new Map<string, Shared>();
  #made = 0;

  constructor(deps: GroupRegistryDeps) {
    this.#deps = deps;
  }

  /** Removes what members of this thread's former life (or of all threads) left behind. */
  async removeStale(of: 'instance' | 'all'): Promise<boolean> {
    const { store, layout, instance } = this.#deps;
    return layout.change(() => {
      const keys = store
        .keys(allMembers)
        .filter((key) => of === 'all' || (store.getJson(key) as MemberRow).instance === instance);
      if (keys.length === 0) return undefined;
      return {
        change: {},
        writes: () => {
          for (const key of keys) store.remove(key);
        },
      };
    });
  }

  /** A new member without topics; its id orders it among the others. */
  async add(group: string, member: string): Promise<string> {
    this.#made += 1;
    const id = `${this.#deps.instance}/${String(this.#made).padStart(4, '0')}/${randomUUID()}`;
    await this.setTopics({ group, id, member }, []);
    return id;
  }

  async setTopics(
    of: { readonly group: string; readonly id: string; readonly member: string },
    topics: readonly string[],
  ): Promise<void> {
    const row: MemberRow = { instance: this.#deps.instance, member: of.member, topics };
    await this.#change(() => this.#deps.store.putJson(memberKey(of.group, of.id), row));
  }

  async remove(group: string, id: string): Promise<void> {
    this.#leaving.set(id, memberKey(group, id));
    this.#shared.delete(id);
    await this.#change(() => undefined);
  }

  async #change(writes: () => void): Promise<void> {
    const { store, layout } = this.#deps;
    let leaving: readonly (readonly [string, Buffer])[] = [];
    await layout.change(() => {
      leaving = [...this.#leaving];
      return {
        change: {},
        writes: () => {
          for (const [, key] of leaving) store.remove(key);
          writes();
        },
      };
    });
    for (const [id] of leaving) this.#leaving.delete(id);
  }

  /** Version of the layout in the newest snapshot: another number means that `view` may have changed. */
  layoutVersion(): number {
    this.#deps.store.refresh();
    return this.#deps.layout.read().version;
  }

  /** What the member holds in the newest snapshot; nothing when it was removed. */
  view(group: string, id: string, topics: readonly string[]): GroupView {
    const { store, layout } = this.#deps;
    store.refresh();
    const { version, deletions } = layout.read();
    this.#deps.topics.forgetDeleted(deletions);
    const candidates = this.#candidates(membersOf(group));
    const before = this.#shared.get(id);
    if (before !== undefined && isStill(before, { topics, candidates, deletions }))
      return { layoutVersion: version, held: before.held };
    const known = topics.map((name) => this.#deps.topics.findKnown(name)).filter((row) => row !== undefined);
    const present = candidates.some((candidate) => candidate.id === id);
    const held = present ? partitionsOf(id, known, candidates) : [];
    this.#shared.set(id, { topics, candidates, deletions, isLacking: known.length < topics.length, held });
    return { layoutVersion: version, held };
  }

  #candidates(range: KeyRange): readonly GroupCandidate[] {
    const { store } = this.#deps;
    const keys = store.keys(range);
    // Members that left are not looked at again; what was parsed of them goes now and then.
    if (this.#parsed.size > parsedMembersKept + keys.length) this.#parsed.clear();
    return keys.map((key) => {
      const id = memberId(key);
      const row = store.get(key) ?? Buffer.from('{"topics":[]}');
      const parsed = this.#parsed.get(id);
      if (parsed?.row.equals(row)) return parsed.candidate;
      const candidate = { id, topics: new Set((parseJsonText(row.toString()) as MemberRow).topics) };
      this.#parsed.set(id, { row, candidate });
      return candidate;
    });
  }
}

function isStill(
  before: Shared,
  { topics, candidates, deletions }: Pick<Shared, 'topics' | 'candidates' | 'deletions'>,
): boolean {
  if (before.isLacking || before.topics !== topics || before.deletions !== deletions) return false;
  return (
    before.candidates.length === candidates.length &&
    candidates.every((candidate, at) => candidate === before.candidates[at])
  );
}
