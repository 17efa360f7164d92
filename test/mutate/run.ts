/** Breaks each rule of the lists on purpose and demands that the test it names turns red: `npm run mutate -- --only seal`. */
import { scriptOptions } from '../support/script-options.ts';
import { listFault } from './list-fault.ts';
import type { Mutation } from './mutation.ts';
import { readLists } from './read-lists.ts';
import { Table } from './table.ts';
import { tryMutations, type Tried } from './try-mutations.ts';

const help = `npm run mutate -- [--only TEXT] [--shard I/N] [--list | --check] [--jobs N]

Applies each mutation of test/mutate/*.mutations.ts to a copy of the sources, runs the one test that it names, and demands
that it fails. Before that each test must pass. Ends with 1 when a mutation survived or could not be tried.

  --only TEXT  those alone whose rule, file or test contains TEXT
  --shard I/N  the I-th of N equal parts of them: the whole list takes the better part of an hour
  --list       prints them and tries none
  --check      reads all files and says which entries cannot be tried, because code or tests have changed
  --jobs N     side by side (1)
`;

const root = new URL('../../', import.meta.url);
const values = scriptOptions(help, {
  only: { type: 'string', default: '' },
  shard: { type: 'string', default: '1/1' },
  list: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  jobs: { type: 'string', default: '1' },
});

function isAsked({ rule, file, test }: Mutation): boolean {
  return [rule, file, test.file, test.title].some((text) => text.toLowerCase().includes(values.only.toLowerCase()));
}

/** True for every `of`-th entry, from the `part`-th on: entries of one room cost alike and stand together. */
function isOfShard(text: string): (mutation: Mutation, index: number) => boolean {
  const [part = 0, of = 0] = (/^([1-9][0-9]*)\/([1-9][0-9]*)$/.exec(text)?.slice(1) ?? []).map(Number);
  if (part === 0 || part > of) throw new Error(`--shard "${text}" is no part such as 2/3`);
  return (_, index) => index % of === part - 1;
}

/** One sentence. */
function verdictOn(tried: readonly Tried[], asked: number): string {
  const count = (verdict: Tried['verdict']): number => tried.filter((one) => one.verdict === verdict).length;
  const [killed, survived, wrong] = [count('killed'), count('survived'), count('wrong')];
  if (asked === 0) return `No mutation has "${values.only}" in its rule, file or test.`;
  if (killed === asked) return `All ${asked} mutations were noticed by their tests.`;
  return `Of ${asked} mutations ${killed} were noticed, ${survived} survived, and ${wrong} could not be tried.`;
}

async function tryAll(mutations: readonly Mutation[], table: Table): Promise<boolean> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
  console.log(table.head);
  const tried = await tryMutations(mutations, {
    root,
    jobs: Number(values.jobs),
    signal: stop.signal,
    onTried: (one) => {
      console.log(table.row(one));
      if (one.verdict !== 'killed') console.log(`          ${one.mutation.rule}: ${one.message}`);
    },
  });
  console.log(verdictOn(tried, mutations.length));
  return mutations.length > 0 && tried.every(({ verdict }) => verdict === 'killed');
}

function checkAll(mutations: readonly Mutation[]): boolean {
  const faults = mutations.flatMap((mutation) => {
    const fault = listFault(root, mutation);
    return fault === undefined ? [] : [`${mutation.rule}: ${fault}`];
  });
  for (const fault of faults) console.log(fault);
  console.log(`${mutations.length - faults.length} of ${mutations.length} mutations can be tried.`);
  return faults.length === 0;
}

async function run(): Promise<boolean> {
  if (!/^[1-9][0-9]*$/.test(values.jobs)) throw new Error(`--jobs "${values.jobs}" is no number above 0`);
  const mutations = (await readLists(new URL('./', import.meta.url))).filter(isAsked).filter(isOfShard(values.shard));
  if (values.check) return checkAll(mutations);
  const table = new Table(process.stdout.columns ?? 140);
  if (!values.list) return tryAll(mutations, table);
  for (const mutation of mutations) console.log(table.listed(mutation));
  return true;
}

if (!(await run())) process.exitCode = 1;
