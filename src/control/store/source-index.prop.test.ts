import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseBranchId, parseSourceId, type BranchId } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import { branchPrefix, sourceDocumentId } from '../../documents/document-id.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { sourceDocuments } from '../../documents/source-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { SourceIndex, stateOf, type SourceState } from './source-index.ts';

const never = { signal: new AbortController().signal };
const states: readonly SourceState[] = ['there', 'deleted', 'erased'];
const branches = ['1', '2'].map(parseBranchId);
/** Ids of no branch. */
const strays = ['shop', '1/shop', '000000000000000/shop', '00000000000000x/shop', '000000000000001'] as const;

const command = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'remove',
    'remove',
    'spoil',
    'misplace',
    'stray',
    'look',
    'look',
    'hold',
    'go on',
    'fail',
  ),
  branch: fc.constantFrom(...branches),
  id: fc.integer({ min: 1, max: 3 }).map((id) => `source-${id}`),
  state: fc.constantFrom(...states),
});
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

function documentOf({ branch: branchId, id, state }: Command): Source {
  const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } as const;
  return {
    branchId,
    sourceId: parseSourceId(id),
    type: 'http',
    name: id,
    description: '',
    secrets: [{ text: 'x'.repeat(48) }],
    settings: {},
    version: { ...stamp, number: 1, hash: '0123456789abcdef', description: '' },
    created: stamp,
    topic: id,
    topicIdentity: 'one',
    partitions: 1,
    incarnation: 1,
    ...(state === 'there' ? {} : { deleted: { ...stamp, withSource: false } }),
    ...(state === 'erased' ? { erased: { tables: [], isDone: true } } : {}),
  };
}

/** Answers of `changes` can be held, and can fail on their way. */
class SlowAnswers implements Pick<Catalog, 'changes'> {
  readonly #catalog: Catalog;
  readonly #held: (() => void)[] = [];
  #isOver = false;
  isHolding = false;
  fails = false;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  async changes(...given: Parameters<Catalog['changes']>): ReturnType<Catalog['changes']> {
    const { isHolding, fails } = this;
    const answer = await this.#catalog.changes(...given);
    if (fails) throw new MillraceError('catalog.unavailable', 'the answer is lost');
    if (isHolding && !this.#isOver) await new Promise<void>((resolve) => void this.#held.push(resolve));
    return answer;
  }

  goOn(): void {
    for (const resolve of this.#held.splice(0)) resolve();
  }

  /** Nothing is held any more. */
  end(): void {
    this.#isOver = true;
    this.goOn();
  }
}

async function refused(look: Promise<unknown>): Promise<void> {
  await expect(look).rejects.toThrow('lost');
}

/** What a look at all sources of a branch finds. */
async function computed(catalog: Catalog, branch: BranchId): Promise<Record<SourceState, readonly string[]>> {
  const prefix = branchPrefix(branch);
  const { documents, unread } = await listReadable(catalog, { kind: sourceDocuments, prefix }, never);
  const all = documents.map((source) => ({ id: source.sourceId as string, state: stateOf(source) }));
  for (const { id } of unread) all.push({ id: id.slice(prefix.length), state: 'there' });
  const idsOf = (state: SourceState): readonly string[] =>
    all
      .filter((one) => one.state === state)
      .map(({ id }) => id)
      .toSorted();
  return { there: idsOf('there'), deleted: idsOf('deleted'), erased: idsOf('erased') };
}

async function run(catalog: Catalog, commands: readonly Command[]): Promise<void> {
  const answers = new SlowAnswers(catalog);
  const index = new SourceIndex(answers);
  const slow: Promise<unknown>[] = [];
  const set = async ({ branch: branchId, id: name }: Command, value: object | undefined): Promise<void> =>
    setAt(sourceDocumentId({ branchId, sourceId: parseSourceId(name) }), value);
  const setAt = async (id: string, value: object | undefined): Promise<void> => {
    const expected = (await catalog.get('source', id, never))?.revision;
    if (value !== undefined) await catalog.compareAndSet({ collection: 'source', id, expected, value }, never);
    else if (expected !== undefined) await catalog.remove('source', id, expected, never);
  };
  const compare = async (branch: BranchId): Promise<void> => {
    const found = await index.of(branch, never);
    const expected = await computed(catalog, branch);
    for (const state of states) {
      expect(found.ids(state)).toEqual(expected[state]);
      expect(found.count(state)).toBe(expected[state].length);
      for (const id of expected[state]) expect(states.filter((one) => found.has(id, one))).toEqual([state]);
    }
  };
  for (const each of commands) {
    if (each.kind === 'write') await set(each, documentOf(each));
    else if (each.kind === 'remove') await set(each, undefined);
    else if (each.kind === 'spoil') await set(each, { is: 'nothing' });
    else if (each.kind === 'misplace') await set(each, { ...documentOf(each), sourceId: 'another' });
    else if (each.kind === 'stray') for (const id of strays) await setAt(id, documentOf(each));
    else if (each.kind === 'look') await compare(each.branch);
    else if (each.kind === 'go on') answers.goOn();
    else if (each.kind === 'hold') {
      answers.isHolding = true;
      // It looks again when it was overtaken, and that may fail.
      slow.push(index.of(each.branch, never).catch(() => undefined));
      answers.isHolding = false;
    } else {
      answers.fails = true;
      await refused(index.of(each.branch, never));
      answers.fails = false;
    }
  }
  answers.end();
  await Promise.all(slow);
  for (const branch of branches) await compare(branch);
}

it('D7: whatever is written, removed, unreadable, out of its place, forgotten, overtaken or lost on its way, the index has what a look at all sources finds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-source-index-'));
  try {
    // So few removals stay known that the whole collection comes again and again.
    await using catalog = await openLmdbCatalog({ path: folder, keptRemovals: 1 });
    const property = fc.asyncProperty(fc.array(command, { maxLength: 60, size: 'max' }), (all) => run(catalog, all));
    await fc.assert(property, { numRuns: 60 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
