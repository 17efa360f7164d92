import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { builtins } from './index.ts';

const limits = { steps: 20_000, textLength: 5_000, arrayLength: 2_000, depth: 200 };

const scalars = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '2',
  '2.5',
  '-0.0',
  '1e300',
  '9007199254740991',
  '""',
  '"a"',
  '"ab,c\\n"',
  '"é😀\\u0000"',
  '"%s %(a)d"',
  '"[1, {\\"a\\": 2}]"',
  '"a: [b, *c]"',
  '"YWI="',
  '"12"',
];
const functions = [
  'function(x) x',
  'function(x, y) y',
  'function(x) true',
  'function(x) [x]',
  'function(x, y=1) error "e"',
  'std.length',
];
const scalar = fc.constantFrom(...scalars);

/** The text of a value: scalars, functions, arrays and objects of these, shared, hidden and failing ones among them. */
const value: fc.Arbitrary<string> = fc.letrec<{ value: string; inner: string }>((tie) => ({
  inner: fc.oneof({ depthSize: 'small' }, scalar, tie('value')),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constantFrom(...functions),
    fc.array(tie('inner'), { maxLength: 3 }).map((parts) => `[${parts.join(', ')}]`),
    fc.tuple(tie('inner'), tie('inner')).map(([a, b]) => `{ a: ${a}, b:: ${b}, c: self.b, __proto__: 1 }`),
    tie('inner').map((part) => `(local x = ${part}; [x, x, error "late"])`),
    tie('inner').map((part) => `({ a: 1, assert self.a != ${part} } + { a+: ${part} })`),
  ),
})).value;

const call: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...builtins), fc.array(value, { minLength: 1, maxLength: 6 }), fc.nat(3), fc.boolean())
  .map(([{ name, parameters }, args, left, byName]) => {
    const given = parameters.slice(0, Math.max(1, parameters.length - left));
    const texts = given.map((parameter, index) => {
      const text = args[index % args.length] ?? 'null';
      return byName ? `${parameter.name}=${text}` : text;
    });
    return `std.${name}(${texts.join(', ')})`;
  });

/** The result, or the error when it is one of the engine's own. */
function run(source: string): string {
  try {
    return compile(source, { limits }).evaluate();
  } catch (error) {
    if (error instanceof JsonnetError) return `${error.kind} ${error.text}`;
    throw error;
  }
}

describe('each function of std, with any arguments', () => {
  it('gives JSON or an error of the engine, always the same', () => {
    fc.assert(
      fc.property(call, (source) => {
        const result = run(source);
        expect(run(source)).toBe(result);
        if (!/^(?:static|runtime|limit) /.test(result)) JSON.parse(result);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives the same when it is called as a value', () => {
    fc.assert(
      fc.property(call, (source) => {
        const place = /\d+:\d+(?:-\d+(?::\d+)?)? /;
        const indirect = run(`local s = std; ${source.replace(/^std/, 's')}`);
        expect(indirect.replace(place, '')).toBe(run(source).replace(place, ''));
      }),
      { numRuns: 1000 },
    );
  });
});
