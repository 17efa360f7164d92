import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sources, type ProductOptions } from '../sides/product.ts';
import { dearest, speedscopeOf, type ThreadProfile, type CpuProfile } from './speedscope.ts';

export interface ProfiledOptions {
  /** Of the file. */
  readonly name: string;
  readonly folder: string;
  readonly tell: (progress: string) => void;
}

/** Profiles a process that was started with the options while something happens. */
export type During = <Result>(pid: number, work: () => Promise<Result>) => Promise<Result>;

const hook = new URL('hook.ts', import.meta.url).href;
const patienceMs = 60_000;

/**
 * Has all threads of a process profiled by the engine, and writes `NAME.speedscope.json`, a flame graph of each of them
 * (https://www.speedscope.app opens it, or `npx speedscope FILE`), with `NAME.txt`, the functions that took most.
 */
export async function profiled(
  { name, folder, tell }: ProfiledOptions,
  work: (profiling: ProductOptions, during: During) => Promise<void>,
): Promise<void> {
  tell(`profile: ${name}`);
  const own = await mkdtemp(join(tmpdir(), 'millrace-profile-'));
  try {
    const options = { program: sources, nodeOptions: ['--import', hook], env: { BENCH_PROFILE_FOLDER: own } };
    await work(options, async (pid, during) => {
      process.kill(pid, 'SIGUSR2');
      const result = await during();
      process.kill(pid, 'SIGUSR2');
      await written(join(own, 'done'));
      return result;
    });
    const threads = await readProfiles(own);
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${name}.speedscope.json`);
    await writeFile(file, JSON.stringify(speedscopeOf(name, threads)));
    await writeFile(join(folder, `${name}.txt`), threads.map((thread) => dearest(thread, 20)).join('\n'));
    tell(`profile: ${file}`);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function written(path: string): Promise<void> {
  for (const deadline = performance.now() + patienceMs; !existsSync(path);) {
    if (performance.now() > deadline) throw new Error(`the process wrote no profile within ${patienceMs / 1000} s`);
    await sleep(50);
  }
}

async function readProfiles(folder: string): Promise<readonly ThreadProfile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile')).toSorted();
  return await Promise.all(
    names.map(async (name) => ({
      name: basename(name, '.cpuprofile').replace(/^\d+-/, ''),
      profile: JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile,
    })),
  );
}
