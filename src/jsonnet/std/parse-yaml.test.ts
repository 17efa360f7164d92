import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

const parsed = (text: string): unknown => valueOf(`std.parseYaml(${JSON.stringify(text)})`);

describe('std.parseYaml', () => {
  it('reads block and flow collections, comments, quotes and block scalars', () => {
    expect(parsed('a: 1 # one\nb:\n- x\n- {c: [y z, "q\\n"]}\nd: |\n  1\n  2\ne: >-\n  3\n  4\n')).toEqual({
      a: 1,
      b: ['x', { c: ['y z', 'q\n'] }],
      d: '1\n2\n',
      e: '3 4',
    });
  });

  it('reads a scalar, and nothing', () => {
    expect([parsed('12'), parsed('"abc"'), parsed(''), parsed('# only this')]).toEqual([12, 'abc', null, null]);
  });

  it('reads JSON', () => {
    expect(parsed('{"a":1,"b":["x",null]}')).toEqual({ a: 1, b: ['x', null] });
  });

  it('takes a repeated key for its last value', () => {
    expect(parsed('a: 1\na: 2')).toEqual({ a: 2 });
  });

  it('refuses what is no YAML and names the line', () => {
    expect(() => parsed('a: 1\nb: c: d')).toThrow('failed to parse YAML: line 2: ');
    expect(() => parsed('---\na: 1\n---\nb: [1')).toThrow('failed to parse YAML: line 4: ');
  });
});

describe('documents of YAML', () => {
  it('are an array when there is a line that begins one', () => {
    expect(parsed('--- \na: 1')).toEqual([{ a: 1 }]);
    expect(parsed('a: 1\n---\nb: 2\n--- c')).toEqual([{ a: 1 }, { b: 2 }, 'c']);
    expect(parsed('---')).toEqual([null]);
    expect(parsed('# c\n---\na: ---b')).toEqual([null, { a: '---b' }]);
  });

  it('end at three dots', () => {
    expect(parsed('a: 1\n...\nb: 2')).toEqual({ a: 1 });
  });

  it('cannot have directives, for these would be a document of their own', () => {
    expect(() => parsed('%YAML 1.1\n---\na: 1')).toThrow('failed to parse YAML: line 1: ');
  });
});

describe('scalars of YAML without quotes', () => {
  it.each([
    ['~ null Null NULL', null],
    ['true True y Yes ON', true],
    ['false FALSE n No off', false],
    ['31 +31 0x1F 0X1f 0b11111 037 0o37 3_1 31. 31.0 3.1e1', 31],
    ['-2 -0x2 -0b10', -2],
    ['.5 0.5 5e-1 0_0.5', 0.5],
    ['08', 8],
    ['0 -0', 0],
  ])('%s are read as %j', (texts, value) => {
    const all = texts.split(' ');
    expect(parsed(all.map((text) => `- ${text}\n`).join(''))).toEqual(all.map(() => value));
  });

  it.each(['nUll', 'truE', '1:30', '2001-01-01', '1e400', '0x', '0b2', '0o8', '_1', '._5', '.e5', '1e', '=', '0x1p4'])(
    '%s is a string',
    (text) => expect(parsed(`[${text}]`)).toEqual([text]),
  );

  it('must be finite', () => {
    expect(() => parsed('- .inf')).toThrow('unsupported value: .inf');
    expect(() => parsed('- .NaN')).toThrow('unsupported value: .NaN');
  });
});

describe('tags of YAML', () => {
  it('choose how a scalar is read', () => {
    expect(parsed('[!!str 1, !!int "1", !!float 1, !!bool yes, !!null ~, !!binary aGk=, !other 1, ! 1]')).toEqual([
      '1',
      1,
      1,
      true,
      null,
      'hi',
      '1',
      '1',
    ]);
  });

  it('refuse a scalar that is something else', () => {
    expect(() => parsed('!!int 1.5')).toThrow('cannot decode `1.5` as a !!int');
  });
});

describe('keys of YAML', () => {
  it('are strings, numbers and booleans, as text', () => {
    expect(parsed('0x10: a\n1.5: b\nyes: c\n"d": d\n__proto__: e')).toEqual(
      JSON.parse('{"16":"a","1.5":"b","true":"c","d":"d","__proto__":"e"}'),
    );
  });

  it('are nothing else', () => {
    expect(() => parsed('~: a')).toThrow('invalid map key: null');
    expect(() => parsed('? [a]\n: b')).toThrow('invalid map key: array');
  });
});

describe('aliases of YAML', () => {
  it('give the value of the last anchor before them', () => {
    expect(parsed('[&a 1, *a, &a {b: 2}, *a]')).toEqual([1, 1, { b: 2 }, { b: 2 }]);
  });

  it('merge maps, of several the first one goes before the others', () => {
    expect(parsed('x: &x {a: 1, b: 1}\nz: {<<: *x, b: 2}')).toEqual({ x: { a: 1, b: 1 }, z: { a: 1, b: 2 } });
    expect(parsed('{<<: [{a: 1}, {a: 2, b: 2}]}')).toEqual({ a: 1, b: 2 });
    expect(parsed('{"<<": 1}')).toEqual({ '<<': 1 });
    expect(() => parsed('{<<: 1}')).toThrow('map merge requires map or sequence of maps as the value');
  });

  it('must have an anchor, and not be within it', () => {
    expect(() => parsed('*a')).toThrow("unknown anchor 'a' referenced");
    expect(() => parsed('&a [*a]')).toThrow("anchor 'a' value contains itself");
  });

  it('cost nothing until the value is written', () => {
    const lines = ['a0: &a0 [x, x]'];
    for (let level = 1; level < 60; level++) lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
    const text = JSON.stringify(lines.join('\n'));
    expect(valueOf(`std.length(std.parseYaml(${text}).a59)`)).toBe(2);
    expect(() => valueOf(`std.parseYaml(${text})`)).toThrow('limit textLength exceeded');
  });
});

describe('YAML that asks for too much', () => {
  it.each(['[', '- ', '? ', '[{', '{a: '])('nested without end by %j is refused', (part) => {
    expect(() => valueOf(`std.parseYaml(std.join('', ['${part}' for i in std.range(1, 10000)]))`)).toThrow(
      /max stack frames exceeded|failed to parse YAML/,
    );
  });

  it('nested deeper than frames may be is refused', () => {
    const text = '['.repeat(600) + ']'.repeat(600);
    expect(() => valueOf(`std.length(std.parseYaml('${text}'))`)).toThrow('max stack frames exceeded');
  });

  it('is refused by its length before it is read', () => {
    expect(() => valueOf("std.parseYaml(std.join('', ['- 1\\n' for i in std.range(1, 20000)]))")).toThrow(
      'limit steps exceeded',
    );
  });
});
