import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Mutation } from './mutation.ts';
import type { WorkTree } from './work-tree.ts';

const report = z.object({
  testResults: z.array(
    z.object({
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullable().default([]),
        }),
      ),
    }),
  ),
});

/** What became of a named test. */
export interface TestOutcome {
  /** `passed` when all with this title did that could run, `failed` when one of them ran and failed. */
  readonly kind: 'passed' | 'failed' | 'skipped' | 'missing' | 'notLoaded' | 'hung';
  /** Why, in one line. */
  readonly message: string;
  readonly seconds: number;
}

export interface TestLimits {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Runs one test of a tree and nothing else. Rejects when it is aborted. */
export async function runTest(tree: WorkTree, test: Mutation['test'], limits: TestLimits): Promise<TestOutcome> {
  const began = performance.now();
  const output = join(tree.temporary, 'report.json');
  await rm(output, { force: true });
  const isEnded = await vitest(tree, { test, output, ...limits });
  limits.signal.throwIfAborted();
  const seconds = (performance.now() - began) / 1000;
  if (!isEnded) return { kind: 'hung', message: `it did not end within ${limits.limitMs / 1000} s`, seconds };
  const text = await readFile(output, 'utf8').catch(() => '{"testResults":[]}');
  return { ...judge(report.parse(JSON.parse(text)), test.title), seconds };
}

function judge({ testResults }: z.infer<typeof report>, title: string): Omit<TestOutcome, 'seconds'> {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const named = all.filter(({ fullName }) => fullName.includes(title));
  const failed = named.find(({ status }) => status === 'failed');
  const why = testResults.map(({ message }) => firstLine(message)).find((line) => line !== '');
  if (all.length === 0) return { kind: 'notLoaded', message: why ?? 'the test file has no tests' };
  if (named.length === 0) return { kind: 'missing', message: `no test has the title "${title}"` };
  if (failed !== undefined) return { kind: 'failed', message: firstLine(failed.failureMessages?.[0] ?? '') };
  if (named.some(({ status }) => status === 'passed')) return { kind: 'passed', message: '' };
  return { kind: 'skipped', message: why ?? 'it was skipped, as when a server that it needs is not there' };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** False when it had to be ended. */
async function vitest(
  tree: WorkTree,
  { test, output, limitMs, signal }: TestLimits & { readonly test: Mutation['test']; readonly output: string },
): Promise<boolean> {
  const pattern = test.title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const program = join(tree.path, 'node_modules', 'vitest', 'vitest.mjs');
  const options = ['run', test.file, '-t', pattern, '--reporter=json', `--outputFile=${output}`];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && !notHanded.includes(name));
  const child = spawn(process.execPath, [program, ...options], {
    cwd: tree.path,
    env: { ...Object.fromEntries(own), TMPDIR: tree.temporary },
    stdio: 'ignore',
    detached: true,
  });
  const ended = once(child, 'exit');
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  // Its workers are of its process group; one in an endless loop hears no message.
  const end = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  limit.addEventListener('abort', end, { once: true });
  await ended;
  limit.removeEventListener('abort', end);
  return !limit.aborted;
}

/** What vitest tells its own workers, and what says that costs are noted. */
const notHanded = ['NODE_ENV', 'TEST', 'MODE', 'PROD', 'DEV', 'SSR', 'BASE_URL', 'MILLRACE_TEST_COSTS'];
