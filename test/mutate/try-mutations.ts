import { listFault } from './list-fault.ts';
import type { Mutation } from './mutation.ts';
import { runTest, type TestOutcome } from './run-test.ts';
import { WorkTree } from './work-tree.ts';

/** What became of a mutation. */
export interface Tried {
  readonly mutation: Mutation;
  /** `wrong`: it says nothing about its rule, because the list or its test is at fault. */
  readonly verdict: 'killed' | 'survived' | 'wrong';
  /** How the test failed, or what is wrong. */
  readonly message: string;
  readonly seconds: number;
}

export interface TryOptions {
  /** The repository. */
  readonly root: URL;
  /** Side by side, each in a tree of its own. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Each one as it is known. */
  readonly onTried: (tried: Tried) => void;
  /** A test that takes longer is ended. */
  readonly limitMs?: number;
}

/** Breaks one rule after the other in copies of the sources and runs the test that each names. */
export async function tryMutations(mutations: readonly Mutation[], options: TryOptions): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  const tell = (one: Tried): void => {
    tried.push(one);
    options.onTried(one);
  };
  const waiting: (readonly Mutation[])[] = [];
  for (const group of byTest(mutations)) {
    const sound: Mutation[] = [];
    for (const mutation of group) {
      const fault = listFault(options.root, mutation);
      if (fault === undefined) sound.push(mutation);
      else tell({ mutation, verdict: 'wrong', message: fault, seconds: 0 });
    }
    if (sound.length > 0) waiting.push(sound);
  }
  const work = async (): Promise<void> => {
    if (waiting.length === 0) return;
    await using tree = await WorkTree.copy(options.root);
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      await tryGroup(tree, group, { ...options, onTried: tell });
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  return tried;
}

/** Those that name the same test, so that it runs once without any of them. */
function byTest(mutations: readonly Mutation[]): Iterable<readonly Mutation[]> {
  return Map.groupBy(mutations, ({ test }) => `${test.file}\n${test.title}`).values();
}

async function tryGroup(
  tree: WorkTree,
  group: readonly Mutation[],
  { signal, onTried, limitMs = 600_000 }: TryOptions,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const sound = await runTest(tree, first.test, { limitMs, signal });
  for (const mutation of group) {
    if (sound.kind !== 'passed') {
      onTried({ mutation, verdict: 'wrong', message: `without it: ${told(sound)}`, seconds: sound.seconds });
      continue;
    }
    const broken = await tree.with(mutation, () => runTest(tree, mutation.test, { limitMs, signal }));
    onTried({ mutation, ...verdictOf(broken), seconds: broken.seconds });
  }
}

function verdictOf(broken: TestOutcome): Pick<Tried, 'verdict' | 'message'> {
  switch (broken.kind) {
    case 'failed':
      return { verdict: 'killed', message: broken.message };
    case 'passed':
      return { verdict: 'survived', message: 'its test passes' };
    case 'skipped':
    case 'missing':
    case 'notLoaded':
    case 'hung':
      return { verdict: 'wrong', message: told(broken) };
    default:
      return broken.kind satisfies never;
  }
}

function told({ kind, message }: TestOutcome): string {
  switch (kind) {
    case 'failed':
      return `its test fails: ${message}`;
    case 'notLoaded':
      return `its test file does not load: ${message}`;
    default:
      return message;
  }
}
