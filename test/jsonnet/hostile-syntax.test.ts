import { afterAll, describe, expect, it } from 'vitest';
import { JsonnetProcess } from '../support/jsonnet-process.ts';

const jsonnet = new JsonnetProcess(64);

afterAll(() => jsonnet[Symbol.dispose]());

const tooDeep = /^static .* Expressions are nested more than 500 levels deep$/;
const longChain = /^static .* A chain of more than 2000 /;

/** Long texts are given to the compiler as they are: the length of a column's template is not its limit. */
describe('a text that is nested or chained without end is refused, in 64 MB of heap', () => {
  it.each([
    ['5,000 brackets', '['.repeat(5000) + ']'.repeat(5000), tooDeep],
    ['100,000 brackets', '['.repeat(100_000) + ']'.repeat(100_000), tooDeep],
    ['brackets that are not closed', '['.repeat(5000), tooDeep],
    ['parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)}`, tooDeep],
    ['objects', `${'{a:'.repeat(5000)}1${'}'.repeat(5000)}`, tooDeep],
    ['locals one after the other', `${'local a = 1; '.repeat(5000)}1`, tooDeep],
    ['locals in locals', `${'local a = '.repeat(5000)}1${'; a'.repeat(5000)}`, tooDeep],
    ['conditions', `${'if true then '.repeat(5000)}1`, tooDeep],
    ['other cases', `${'if false then 1 else '.repeat(5000)}1`, tooDeep],
    ['functions', `${'function(x) '.repeat(5000)}1`, tooDeep],
    ['errors', `${'error '.repeat(5000)}1`, tooDeep],
    ['asserts', `${'assert true; '.repeat(5000)}1`, tooDeep],
    ['comprehensions', `${'[x for x in '.repeat(5000)}[]${']'.repeat(5000)}`, tooDeep],
    ['signs', `${'-'.repeat(100_000)}1`, longChain],
    ['negations', `${'!'.repeat(100_000)}true`, longChain],
    ['signs with comments', `${'-/* */'.repeat(50_000)}1`, longChain],
    ['sums', `${'1+'.repeat(100_000)}1`, longChain],
    ['calls', `local f = function() f; f${'()'.repeat(5000)}`, longChain],
    ['indexes', `local a = { a: a }; a${'.a'.repeat(100_000)}`, longChain],
    ['objects put on objects', `{}${'{}'.repeat(5000)}`, longChain],
    ['operators without operands', '<'.repeat(100_000), /^static 1:1-\d+ /],
    ['comments', '/* '.repeat(100_000), /^static 1:1-3 Multi-line comment has no terminating \*\/$/],
    ['a string', `"${'\\u0000'.repeat(200_000)}`, /^static 1:1-2 Unterminated String$/],
    ['a text block', `|||\n${'  a\n'.repeat(100_000)}`, /^static 1:1-4 Text block not terminated/],
    ['a number', '9'.repeat(100_000), /^static .* Number out of range/],
    ['digits apart', '1_'.repeat(100_000), /^static .*_ must stand between digits$/],
  ])('%s', async (_name, source, outcome) => {
    expect(await jsonnet.outcomeOf(source)).toMatch(outcome);
  });
});
