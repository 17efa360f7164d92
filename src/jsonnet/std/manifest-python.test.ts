import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestPython', () => {
  it('writes in one line with the words of Python', () => {
    expect(valueOf('std.manifestPython({ b: [true, false, null], a: "x\\n", e: {}, f: [], n: 1.5 })')).toBe(
      '{"a": "x\\n", "b": [True, False, None], "e": {}, "f": [], "n": 1.5}',
    );
  });

  it('std.manifestPythonVars writes a line for each field', () => {
    expect(valueOf('std.manifestPythonVars({ b: [1, null], a: "x", h:: 1 })')).toBe('a = "x"\nb = [1, None]\n');
    expect(valueOf('std.manifestPythonVars({})')).toBe('');
  });

  it('refuses functions, and variables that are no object', () => {
    expect(() => valueOf('std.manifestPython([function(x) x])')).toThrow('Tried to manifest function at [0]');
    expect(() => valueOf('std.manifestPythonVars(1)')).toThrow('std.manifestPythonVars: argument "conf"');
  });
});
