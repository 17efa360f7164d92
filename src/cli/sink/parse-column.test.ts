import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnText, parseColumn } from './parse-column.ts';
import { anyColumn } from '../../../test/support/any-column.ts';

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,9}$/);
const path = fc.stringMatching(/^[a-z][a-z.:[\]0-9"]{0,15}$/);
const column = anyColumn({
  name,
  path,
  defaultValue: fc.string(),
  template: fc.string({ minLength: 1 }),
});

describe('a column on the command line', () => {
  it('is read back from the text that shows it', () => {
    fc.assert(
      fc.property(column, (one) => {
        expect(parseColumn(columnText(one))).toEqual(one);
      }),
    );
  });

  it('of type text is a path without the quotes of a JSON string', () => {
    expect(parseColumn('who:text:user["first.name"]?=nobody')).toEqual({
      name: 'who',
      type: 'path',
      path: 'user["first.name"]',
      rawString: true,
      defaultValue: 'nobody',
    });
  });

  it.each([
    ['id', 'must have a name and a type'],
    [':uuid', 'must have a name and a type'],
    ['id:uuid:x', 'nothing may follow the type uuid'],
    ['id:path', 'needs the path of a field'],
    ['id:template:', 'needs a template'],
    ['id:template-text:', 'needs a template'],
    ['id:number', 'the type must be one of uuid, datetime, ip, body, headers, path, template, text or template-text'],
  ])('D9: "%s" is refused by its rule', (text, rule) => {
    expect(() => parseColumn(text)).toThrow(`Column "${text}": ${rule}`);
  });
});
