import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('escapes', () => {
  it('std.escapeStringJson and std.escapeStringPython write a JSON string', () => {
    const source = String.raw`"q\" \\ \n\t\r\b\f\u0001\u007f\u009f é😀"`;
    const escaped = String.raw`"q\" \\ \n\t\r\b\f\u0001\u007f\u009f é😀"`;
    expect(valueOf(`std.escapeStringJson(str_=${source})`)).toBe(escaped);
    expect(valueOf(`std.escapeStringPython(str=${source})`)).toBe(escaped);
  });

  it('std.escapeStringBash writes a word for a shell', () => {
    expect(valueOf(`std.escapeStringBash("it's $HOME")`)).toBe(`'it'"'"'s $HOME'`);
  });

  it('std.escapeStringDollars doubles dollars', () => {
    expect(valueOf('std.escapeStringDollars("$a $$")')).toBe('$$a $$$$');
  });

  it('std.escapeStringXML writes entities', () => {
    expect(valueOf(`std.escapeStringXML(str_="<a b='&'>\\"</a>")`)).toBe(
      '&lt;a b=&apos;&amp;&apos;&gt;&quot;&lt;/a&gt;',
    );
  });

  it('make text of other values first', () => {
    expect(
      valueOf('[std.escapeStringBash([1, "a"]), std.escapeStringXML(null), std.escapeStringJson({ a: 1 })]'),
    ).toEqual([`'[1, "a"]'`, 'null', String.raw`"{\"a\": 1}"`]);
    expect(errorOf('std.escapeStringBash(function() 1)')).toContain('function');
  });

  it.each(['escapeStringJson', 'escapeStringXML', 'escapeStringBash', 'escapeStringDollars'])(
    'std.%s stays within the length of a string',
    (name) => expect(errorOf(`std.${name}(std.repeat("$'\\"", 250000))`)).toContain('textLength'),
  );
});
