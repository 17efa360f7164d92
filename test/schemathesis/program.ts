import { execFile } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onlyOne } from '../support/only-one.ts';

const version = '4.32.5';
const installMs = 600_000;
const run = promisify(execFile);

/** Path of schemathesis, installed once from PyPI into a virtual environment in the cache of the user; needs `python3`. */
export async function schemathesisProgram(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');
  const folder = join(cache, `schemathesis-${version}`);
  const program = join(folder, 'bin', 'schemathesis');
  const complete = join(folder, 'complete');
  await mkdir(cache, { recursive: true });
  await using _lock = await onlyOne(`${folder}.lock`, { withinMs: installMs });
  if (await isThere(complete)) return program;
  await run('python3', ['-m', 'venv', '--clear', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${version}`]);
  await writeFile(complete, '');
  return program;
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
