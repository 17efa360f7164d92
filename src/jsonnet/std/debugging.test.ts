import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.trace', () => {
  it('gives its second argument, and prints nothing', () => {
    expect(valueOf('[std.trace("seen", 1), std.trace(rest=[2], str="x" + 3)]')).toEqual([1, [2]]);
  });

  it('wants a string to show', () => {
    expect(errorOf('std.trace(1, 2)')).toContain('std.trace: argument "str": Unexpected type number, expected string');
    expect(errorOf('std.trace(error "no", 2)')).toContain('no');
  });
});
