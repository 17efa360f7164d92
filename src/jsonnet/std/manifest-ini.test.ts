import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestIni', () => {
  it('writes the main part, then the sections by name', () => {
    expect(valueOf("std.manifestIni({ main: { b: 1, a: 'x' }, sections: { s2: { c: true }, s1: {} } })")).toBe(
      'a = x\nb = 1\n[s1]\n[s2]\nc = true\n',
    );
  });

  it('writes a line for each element of an array', () => {
    expect(valueOf("std.manifestIni({ sections: { s: { a: [1, [2], 'x'], b: [] } } })")).toBe(
      '[s]\na = 1\na = [2]\na = x\n',
    );
  });

  it('leaves out a main part that is hidden', () => {
    expect(valueOf('std.manifestIni({ main:: { a: 1 }, sections: {} })')).toBe('');
  });

  it('refuses an object without sections, and a section that is no object', () => {
    expect(() => valueOf('std.manifestIni({ main: {} })')).toThrow('Field does not exist: sections');
    expect(() => valueOf('std.manifestIni({ sections: { s: 1 } })')).toThrow('field "s": Unexpected type number');
  });
});
