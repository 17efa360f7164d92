import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const compile = new URL('../compile.ts', import.meta.url).href;

/** Evaluates a program in a process of its own with 64 MB of heap, and says which limit or kind of error ended it. */
function endOf(source: string): string {
  const script = `
    const { compile } = await import(${JSON.stringify(compile)});
    try {
      console.log('result of ' + compile(${JSON.stringify(source)}).evaluate().length);
    } catch (error) {
      console.log(error.limit ?? error.kind ?? String(error));
    }`;
  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', script];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 240_000 });
  return child.status === 0 ? child.stdout.trim() : `ended with ${child.status ?? child.signal}: ${child.stderr}`;
}

describe('a hostile program ends in an error, within 64 MB', () => {
  it.each([
    ['recursion without end', 'local f(x) = f(x + 1) + 1; f(0)', 'depth'],
    ['recursion without end that needs no stack', 'local f(x) = f(x + 1) tailstrict; f(0)', 'steps'],
    ['5,000 nested brackets', '['.repeat(5000), 'static'],
    ['a string doubled 30 times', 'std.foldl(function(s, i) s + s, std.range(1, 30), "x")', 'textLength'],
    ['std.repeat to 4 GB', 'std.repeat("x", 4e9)', 'textLength'],
    ['a format width of a billion', '"%1000000000d" % 5', 'textLength'],
    ['std.range(1, 1e12)', 'std.range(1, 1e12)', 'arrayLength'],
    [
      'a catastrophic comprehension',
      'local a = std.range(1, 1000); [1 for b in a for c in a for d in a for e in a if b + c + d + e < 0]',
      'steps',
    ],
    [
      'an array of arrays of arrays',
      'local a = std.range(1, 1000); [[[c for c in a] for b in a] for d in a]',
      'textLength',
    ],
    ['JSON nested 100,000 deep', 'std.parseJson(std.repeat("[", 100000) + std.repeat("]", 100000))', 'depth'],
  ])('%s', (_name, source, limit) => {
    expect(endOf(source)).toBe(limit);
  });
});
