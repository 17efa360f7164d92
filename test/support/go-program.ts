import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { canRun } from './can-run.ts';
import { cacheFolder, isThere, madeOnce } from './made-once.ts';

const run = promisify(execFile);

/** A program that Go builds from a module. */
export interface GoProgram {
  readonly name: string;
  /** Path of its package; the last part that is not a version names the file that go makes. */
  readonly module: string;
  readonly version: string;
}

/** True when the program is built already, or there is a go that can build it. */
export async function canHave(program: GoProgram): Promise<boolean> {
  if (await isThere(join(cacheFolder, fileOf(program)))) return true;
  return canRun('go');
}

/** Path of the program, built once by go; others who want it meanwhile wait. */
export async function builtProgram({ name, module, version }: GoProgram): Promise<string> {
  return madeOnce(fileOf({ name, version }), async (work) => {
    await run('go', ['install', `${module}@${version}`], { env: { ...process.env, GOBIN: work } });
    return module.split('/').findLast((part) => !/^v\d+$/.test(part)) ?? '';
  });
}

function fileOf({ name, version }: Pick<GoProgram, 'name' | 'version'>): string {
  return `${name}-${version}`;
}
