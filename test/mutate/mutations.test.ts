import { describe, expect, test } from 'vitest';
import { listFault } from './list-fault.ts';
import type { Mutation } from './mutation.ts';
import { readLists } from './read-lists.ts';
import { tryMutations, type Tried } from './try-mutations.ts';

const root = new URL('../../', import.meta.url);
const mutations = await readLists(new URL('./', import.meta.url));

function only<T>(those: readonly T[]): T {
  const [one, ...more] = those;
  if (one === undefined || more.length > 0) throw new Error(`one was expected, not ${those.length}`);
  return one;
}

/** The verdict on each, by its rule, and what was told about it. */
async function attempt(some: readonly Mutation[]): Promise<ReadonlyMap<string, Pick<Tried, 'verdict' | 'message'>>> {
  const tried = await tryMutations(some, {
    root,
    jobs: 1,
    signal: new AbortController().signal,
    onTried: () => undefined,
    limitMs: 100_000,
  });
  return new Map(tried.map(({ mutation, verdict, message }) => [mutation.rule, { verdict, message }]));
}

describe('the lists', () => {
  test.each(mutations)('can be tried: $rule', (mutation) => {
    expect(listFault(root, mutation)).toBeUndefined();
  });

  test('break each rule of a file once', () => {
    const names = mutations.map(({ file, rule }) => `${file}: ${rule}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

const sound: Mutation = {
  rule: 'a slice without rows only moves the entry',
  file: 'src/core/progress/seal.ts',
  from: 'staged: slice === undefined ? progress.staged :',
  to: 'staged: slice !== undefined ? progress.staged :',
  test: { file: 'src/core/progress/seal.test.ts', title: 'D4: it moves the entry, adds the slice' },
};

describe('a mutation', () => {
  test('is noticed, survives, or cannot be tried', async () => {
    const quick = ['a seal compares the entry', 'the ledger moves by one'].map((rule) =>
      only(mutations.filter((each) => each.rule === rule)),
    );
    const unnoticed = { ...sound, rule: 'unnoticed', test: { ...sound.test, title: 'the mark never goes back' } };
    const unloaded = {
      ...sound,
      rule: 'unloaded',
      from: "import { limits } from '../limits.ts';",
      to: "import { limits } from '../no-limits.ts';",
    };
    const untold = { ...sound, rule: 'untold', test: { ...sound.test, title: 'Seals one row an offset' } };
    const verdicts = await attempt([...quick, unnoticed, unloaded, untold]);
    for (const { rule } of quick) expect(verdicts.get(rule)?.verdict, rule).toBe('killed');
    expect(verdicts.get('unnoticed')?.verdict).toBe('survived');
    expect(verdicts.get('unloaded')?.verdict).toBe('wrong');
    expect(verdicts.get('unloaded')?.message).toMatch('its test file does not load');
    expect(verdicts.get('untold')?.verdict).toBe('wrong');
    expect(verdicts.get('untold')?.message).toMatch('no test has the title');
  });

  const ofTypes = { from: 'change: Seal): SinkProgress | Refused', to: 'change: Seal): SinkProgress' };
  test.each([
    ['whose text is not there', { from: 'staged: nowhere' }, '"from" stands 0 times'],
    ['whose text is there more than once', { from: 'progress.staged' }, '"from" stands 3 times'],
    ['that changes types only', ofTypes, 'nothing that runs'],
    ['that is a syntax error', { to: 'staged: slice ? :' }, 'a syntax error'],
    ['of a file that is not there', { file: 'src/core/progress/sael.ts' }, 'there is no src/core/progress/sael.ts'],
    ['whose test is not there', { test: { ...sound.test, title: 'D4: it stands nowhere' } }, 'has no title'],
  ] as const)('%s is a fault of the list', (_, change, told) => {
    expect(listFault(root, { ...sound, ...change })).toMatch(told);
  });
});
