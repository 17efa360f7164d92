import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestXmlJsonml', () => {
  it('writes tags, attributes by name and children', () => {
    expect(valueOf("std.manifestXmlJsonml(['a', { y: 1, x: 'v' }, ['b', 'text'], 'more', ['c'], ['d', {}]])")).toBe(
      '<a x="v" y="1"><b>text</b>more<c></c><d></d></a>',
    );
  });

  it('escapes nothing', () => {
    expect(valueOf("std.manifestXmlJsonml(['a', { x: '<' }, '<&'])")).toBe('<a x="<"><&</a>');
  });

  it('refuses what is no JsonML', () => {
    expect(() => valueOf("std.manifestXmlJsonml('a')")).toThrow('std.manifestXmlJsonml: argument "value"');
    expect(() => valueOf('std.manifestXmlJsonml([])')).toThrow('got an empty array');
    expect(() => valueOf('std.manifestXmlJsonml([1])')).toThrow('a tag that is a string, got number');
    expect(() => valueOf("std.manifestXmlJsonml(['a', 1])")).toThrow(
      'a child that is a string or an array, got number',
    );
  });

  it('ends for a value without end, at the limit of depth', () => {
    expect(() => valueOf("local a = ['a', a]; std.manifestXmlJsonml(a)")).toThrow('max stack frames exceeded');
  });
});
