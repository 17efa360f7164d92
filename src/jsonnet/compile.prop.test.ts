import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { JsonnetError } from './jsonnet-error.ts';

/** A program that follows the grammar, made from random numbers: most of them evaluate, many fail at run time. */
class Program {
  readonly #tape: readonly number[];
  #at = 0;

  constructor(tape: readonly number[]) {
    this.#tape = tape;
  }

  text(): string {
    return this.#expression(5, [], false);
  }

  #pick<T>(choices: readonly T[]): T {
    const number = this.#tape[this.#at++ % this.#tape.length] ?? 0;
    return choices[(number + this.#at) % choices.length]!;
  }

  #literal(): string {
    return this.#pick(['0', '1', '2.5', '-3', 'true', 'false', 'null', '"a"', "'b c'", '"é😀"', '[]', '{}', '1e300']);
  }

  #expression(depth: number, names: readonly string[], inObject: boolean): string {
    const inner = (more: readonly string[] = []): string => this.#expression(depth - 1, [...names, ...more], inObject);
    if (depth === 0) return names.length > 0 && this.#pick([true, false]) ? this.#pick(names) : this.#literal();
    const name = this.#pick(['x', 'y', 'z']);
    const makers: (() => string)[] = [
      () => this.#literal(),
      () => (names.length > 0 ? this.#pick(names) : this.#literal()),
      () =>
        `(${inner()} ${this.#pick(['+', '+', '==', '<', '-', '*', '&&', '||', '%', '/', '!=', 'in', '&'])} ${inner()})`,
      () => `${this.#pick(['-', '!', '~', '+'])}(${inner()})`,
      () => `[${inner()}, ${inner()}]`,
      () => `[${inner([name])} for ${name} in [${inner()}, ${inner()}] if ${inner([name])} != 1]`,
      () => this.#object(depth, names),
      () => `(${this.#object(depth, names)} + ${this.#object(depth, names)})`,
      () =>
        `{ ["k" + ${name}]: ${this.#expression(depth - 1, [...names, name], true)} for ${name} in [1, ${inner()}] }`,
      () => `(if ${inner()} == ${inner()} then ${inner()} else ${inner()})`,
      () => `(local ${name} = ${inner([name])}; ${inner([name])})`,
      () => `(local f(${name}, q=${inner([name])}) = ${inner([name, 'q'])}; f(${inner()}))`,
      () => `(function(${name}) ${inner([name])})(${inner()}) `,
      () => `(local f(${name}) = if ${name} == 0 then ${inner()} else f(0) tailstrict; f(${inner()}))`,
      () => `(${inner()}).${this.#pick(['a', 'b', 'c'])}`,
      () => `(${inner()})[${inner()}]`,
      () => `(${inner()})[${this.#pick(['', '1', '-1'])}:${this.#pick(['', '2', '-1'])}:${this.#pick(['', '1', '2'])}]`,
      () => (inObject ? this.#pick(['self.a', 'self.b', 'super.a', '$.a', '$.b', '("a" in super)']) : this.#literal()),
      () => `(assert ${inner()} == ${inner()} : "no"; ${inner()})`,
      () => this.#pick(['error "e"', this.#literal()]),
    ];
    return this.#pick(makers)();
  }

  #object(depth: number, names: readonly string[]): string {
    const inner = (more: readonly string[] = []): string => this.#expression(depth - 1, [...names, ...more], true);
    const colon = (): string => this.#pick([':', ':', '::', ':::', '+:']);
    const local = this.#pick(['', `local w = ${inner(['w'])}, `]);
    const own = local === '' ? [] : ['w'];
    const check = this.#pick(['', '', `assert ${inner(own)} != 3, `]);
    return `{ ${local}${check}a${colon()} ${inner(own)}, b${colon()} ${inner(own)}, ["c"]: ${inner(own)} }`;
  }
}

const limits = { steps: 20_000, textLength: 20_000 };

/** The result, or the error when it is one of the engine's own. */
function run(source: string): string {
  try {
    return compile(source, { limits }).evaluate();
  } catch (error) {
    if (error instanceof JsonnetError) return error.text;
    throw error;
  }
}

describe('random programs', () => {
  it('end in JSON text or in an error of the engine, and always in the same', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 5, maxLength: 60 }), (tape) => {
        const source = new Program(tape).text();
        const result = run(source);
        expect(run(source)).toBe(result);
      }),
      { numRuns: 400 },
    );
  });

  it('give JSON when they give a result', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 5, maxLength: 60 }), (tape) => {
        const source = new Program(tape).text();
        let text: string;
        try {
          text = compile(source, { limits }).evaluate();
        } catch {
          return;
        }
        expect(() => JSON.parse(text) as unknown).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe('random text', () => {
  it('of any characters is refused by nothing but an error of the engine', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (source) => {
        run(source);
      }),
      { numRuns: 200 },
    );
  });

  it('made of the words of the language is, too', () => {
    const words =
      '{ } [ ] ( ) , . ; : :: ::: +: + - * / % ! ~ & | ^ == < >> && || = in self super $ local if then else for ' +
      'function assert error null true 1 0x 1e5 "a" \'b\' @"c" |||\n\u0020x\n||| x y std tailstrict import # // /* */ \\ "';
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 30 }), (parts) => {
        run(parts.join(' '));
      }),
      { numRuns: 1000 },
    );
  });

  it('that is JSON stays what it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(run(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });
});
