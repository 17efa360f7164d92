/** `npm run bench`: figures as ratios of sides that take turns in the same run, with what an event costs in processor time. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { widenThreadPool } from '../../src/config/thread-pool.ts';
import { scriptArguments } from '../support/script-options.ts';
import type { Bench, BenchResult } from './bench.ts';
import { curvePicture } from './curve.ts';
import { inMemory, machine } from './machine.ts';
import { blockOf, tableOf, withBlock, type NamedResult } from './page.ts';
import { benches, isBenchName, type BenchName } from './registry.ts';

const { isBuilt } = createRequire(import.meta.url)('../../bin/built.cjs') as {
  readonly isBuilt: (root: string) => boolean;
};
const root = fileURLToPath(new URL('../..', import.meta.url));

const list = Object.entries(benches).map(([name, { meaning }]) => `  ${name.padEnd(16)}${meaning}`);
const help = `npm run bench -- NAME… | all [options]

Measures one process of the product beside something simpler, in turns, in the same run. Each takes a few minutes.

${list.join('\n')}
  all             one after the other

  --rounds N       how often each side is measured; medians and quartiles are shown
  --seconds N      how long a side is loaded in a round
  --connections N  of the loader, one request in flight on each (64)
  --events N       of what counts events: catch-up (20000000 is the long form), stage, start, templates, extract
  --sources N      of control-plane (10000 is the long form)
  --profile DIR    a round more with a profile of each thread: NAME.speedscope.json, a flame graph, and NAME.txt, the dearest functions
  --folder DIR     where data is written; on a disk, since it measures syncs (${tmpdir()})
  --json           the results as JSON
  --markdown       the results as docs/benchmarks.md has them
  --write          writes them into docs/benchmarks.md`;

const { values, names } = scriptArguments(
  help,
  {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string' },
    events: { type: 'string' },
    sources: { type: 'string' },
    profile: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  (name): name is BenchName | 'all' => name === 'all' || isBenchName(name),
);
const asked = names.includes('all') ? (Object.keys(benches) as BenchName[]) : names.filter((name) => name !== 'all');
if (asked.length === 0) {
  console.error(help);
  process.exitCode = 2;
}

const tell = (progress: string): void => console.error(progress);
let alone: ChildProcess | undefined;
const folder = ownFolder();
// The pool of this process is as wide as the product's from its first use on, which is the next line; what is started has its own.
const { UV_THREADPOOL_SIZE: asGiven } = process.env;
widenThreadPool();
const isInMemory = await inMemory(folder);
if (asGiven === undefined) delete process.env['UV_THREADPOOL_SIZE'];
if (asked.length > 0 && isInMemory)
  tell(`${folder} lies in memory: what waits for syncs looks faster than it is; --folder names another`);
// The product would run its sources: another 60 MB of memory, and other figures than users have.
if (asked.length > 0 && !isBuilt(root)) {
  tell('the sources are newer than what is built: npm run build');
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}
const page = new URL('../../docs/benchmarks.md', import.meta.url);
const results: NamedResult[] = [];
for (const name of asked) {
  const began = performance.now();
  try {
    const result = asked.length === 1 ? await runHere(name) : await runAlone(name);
    results.push({ name, result, machine: await machine(folder) });
  } catch (thrown) {
    // The others go on.
    tell(`${name}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
    process.exitCode = 1;
    continue;
  }
  tell(`${name}: took ${((performance.now() - began) / 1000).toFixed(0)} s`);
  await show(results.at(-1));
}
if (values.json) console.log(JSON.stringify(results, undefined, 2));

async function show(last: NamedResult | undefined): Promise<void> {
  if (last === undefined) return;
  if (values.markdown) console.log(blockOf(last));
  else if (!values.json) console.log(tableOf(last));
  if (!values.write) return;
  await writeFile(page, withBlock(await readFile(page, 'utf8'), last));
  for (const curve of last.result.curves ?? [])
    await writeFile(new URL(`pictures/${curve.name}.svg`, page), curvePicture(curve));
}

async function runHere(name: BenchName): Promise<BenchResult> {
  const { usual, run }: Bench = benches[name];
  const number = (option: 'rounds' | 'seconds' | 'connections' | 'events' | 'sources', fallback: number): number => {
    const value = Number(values[option] ?? fallback);
    if (!(value > 0)) throw new Error(`--${option} must be a number above 0`);
    return value;
  };
  const { rounds = 3, seconds = 3, events = 100_000, sources = 300 } = usual;
  return await run({
    rounds: number('rounds', rounds),
    seconds: number('seconds', seconds),
    connections: number('connections', 64),
    events: number('events', events),
    sources: number('sources', sources),
    profile: values.profile === undefined ? undefined : resolve(values.profile),
    tell: (progress) => tell(`${name}: ${progress}`),
  });
}

/** In a process of its own, so that the engine has compiled nothing for another one. */
async function runAlone(name: BenchName): Promise<BenchResult> {
  const passed = (['rounds', 'seconds', 'connections', 'events', 'sources', 'profile'] as const).flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [`--${option}`, value];
  });
  const args = [fileURLToPath(import.meta.url), name, '--json', '--folder', folder, ...passed];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  alone = child;
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`it ended with ${child.exitCode ?? child.signalCode}`);
  const [found] = JSON.parse(output) as readonly NamedResult[];
  if (found === undefined) throw new Error('it said nothing');
  return found.result;
}

/** For all that is written; removed when this process ends, also when it is interrupted. Processes that it started end with it. */
function ownFolder(): string {
  const path = mkdtempSync(join(values.folder, 'millrace-bench-'));
  process.env['TMPDIR'] = path;
  process.on('exit', () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void leave());
  return path;
}

/** The bench that runs alone has to remove its own first. */
async function leave(): Promise<never> {
  if (alone !== undefined && alone.exitCode === null && alone.kill()) await once(alone, 'exit');
  // oxlint-disable-next-line unicorn/no-process-exit -- nothing of the bench is worth waiting for
  return process.exit(1);
}
