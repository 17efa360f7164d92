import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestYamlDoc', () => {
  it('writes objects and arrays in block style, an object beside its dash, an array under it', () => {
    expect(valueOf('std.manifestYamlDoc({ a: { b: [1, { c: 2, d: [3] }, [4, [5]]] } })')).toBe(
      '"a":\n  "b":\n  - 1\n  - "c": 2\n    "d":\n    - 3\n  -\n    - 4\n    -\n      - 5',
    );
  });

  it('indents arrays in objects when told so', () => {
    expect(valueOf('std.manifestYamlDoc({ a: [1, { b: [2] }] }, indent_array_in_object=true)')).toBe(
      '"a":\n  - 1\n  - "b":\n      - 2',
    );
  });

  it('writes what is empty in its line', () => {
    expect(valueOf('std.manifestYamlDoc({ a: [], b: {}, c: [[], {}], d: "" })')).toBe(
      '"a": []\n"b": {}\n"c":\n- []\n- {}\n"d": ""',
    );
    expect(valueOf('[std.manifestYamlDoc([]), std.manifestYamlDoc({})]')).toEqual(['[]', '{}']);
  });

  it('writes a string that ends a line as a block, and every other one in quotes', () => {
    expect(valueOf('std.manifestYamlDoc({ a: "x\\n  y\\n", b: ["z\\n\\n"], c: "x\\ny", d: "\\n" })')).toBe(
      '"a": |\n  x\n    y\n"b":\n- |\n  z\n  \n"c": "x\\ny"\n"d": |\n  ',
    );
  });

  it('writes scalars as JSON does', () => {
    expect(valueOf('[std.manifestYamlDoc(v) for v in [null, true, 1e-7, "yes"]]')).toEqual([
      'null',
      'true',
      '0.0000001',
      '"yes"',
    ]);
  });

  it('refuses a function and says where it is', () => {
    expect(() => valueOf('std.manifestYamlDoc({ a: [function(x) x] })')).toThrow(
      'Tried to manifest function at ["a", 0]',
    );
  });

  it('ends for a value without end, at the limit of depth', () => {
    expect(() => valueOf('local a = [a]; std.manifestYamlDoc(a)')).toThrow('max stack frames exceeded');
  });
});

describe('a key without quotes', () => {
  const bare = ['a-b', 'x/y.z', '_a', '1.2.3', '0o7', 'e5', '1__0', 'Ab'];
  const quoted = ['a b', 'é', '', 'a:b', 'Yes', 'n', 'OFF', 'null', '~', '---', '-', '.Inf', '-.inf', 'NaN', 'inf'];
  const numbers = ['1', '-1', '1_000', '1.', '-.5', '1e5', '1.5E-3', '0x1F', '-0x1f', '0b1', '2001-01-01', '1-1-'];

  it.each(bare)('stands for the string %j', (key) => {
    expect(valueOf(`std.manifestYamlDoc({ ${JSON.stringify(key)}: 0 }, quote_keys=false)`)).toBe(`${key}: 0`);
  });

  it.each([...quoted, ...numbers])('does not stand for the string %j, which reads as something else', (key) => {
    const json = JSON.stringify(key);
    expect(valueOf(`std.manifestYamlDoc({ ${json}: 0 }, quote_keys=false)`)).toBe(`${json}: 0`);
  });
});

describe('std.manifestYamlStream', () => {
  it('writes each element as a document and ends the stream', () => {
    expect(valueOf('std.manifestYamlStream([{ a: [1] }, 2])')).toBe('---\n"a":\n- 1\n---\n2\n...\n');
    expect(valueOf('std.manifestYamlStream([])')).toBe('---\n\n...\n');
  });

  it('takes the options of a document, and whether the stream is ended', () => {
    expect(valueOf('std.manifestYamlStream([{ a: [1] }], true, c_document_end=false, quote_keys=false)')).toBe(
      '---\na:\n  - 1\n',
    );
  });

  it('refuses what is no array', () => {
    expect(() => valueOf('std.manifestYamlStream({})')).toThrow('std.manifestYamlStream: argument "value"');
  });
});
