import { readFileSync } from 'node:fs';
import { dirname, matchesGlob } from 'node:path';

/** Whether a file of the build's context, by its path from there, is sent to the build: the last rule that fits decides. */
export function readDockerIgnore(file: string): (path: string) => boolean {
  const rules = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  return (path) => rules.findLast(({ pattern }) => fits(path, pattern))?.keeps ?? true;
}

/** A rule for a folder is one for all that is in it. */
function fits(path: string, pattern: string): boolean {
  return matchesGlob(path, pattern) || (dirname(path) !== '.' && fits(dirname(path), pattern));
}
