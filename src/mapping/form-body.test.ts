import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import type { ColumnOf } from '../core/column.ts';
import { ingestedEvent, mapOnce, pathColumn } from '../../test/support/mapping-fixture.ts';
import { parseForm } from './form-body.ts';

const type = 'application/x-www-form-urlencoded; charset=utf-8';

function cell(body: string, path: string, rest: Partial<ColumnOf<'path'>> = {}): unknown {
  const mapped = mapOnce(ingestedEvent({ body, type }), [pathColumn(path, { name: 'c', ...rest })]);
  return 'refusal' in mapped ? mapped.refusal : mapped.cells[0];
}

test('D8: a name of millions of brackets is refused, and no message repeats a long name', () => {
  const long = 'x'.repeat(100_000);
  for (const body of [`a${'[b]'.repeat(5_000_000)}=1`, `%ff${long}=1`, `${long}[1000]=1`]) {
    const form = parseForm(Buffer.from(body));
    expect(form.kind === 'invalid' ? form.message.length : form).toBeLessThan(400);
  }
});

describe('a form body', () => {
  test.each<[string, string]>([
    ['', '{}'],
    ['a=1', '{"a":"1"}'],
    ['a', '{"a":""}'],
    ['a=', '{"a":""}'],
    ['a=b=c', '{"a":"b=c"}'],
    ['&&a=1&', '{"a":"1"}'],
    ['a=1&a=2', '{"a":"2"}'],
    ['a[]=1&a=2', '{"a":"2"}'],
    ['a=1&a[]=2', '{"a":["2"]}'],
    ['a=1&a[b]=2&z=3', '{"a":{"b":"2"},"z":"3"}'],
    ['a[b]=1&a=2', '{"a":"2"}'],
    ['a[0]=1&a[b]=2', '{"a":{"b":"2"}}'],
    ['a[b]=1&a[]=2&a[]=3', '{"a":["2","3"]}'],
    ['a[0][b]=1&a[0]=2', '{"a":["2"]}'],
    ['z=1&a=2&1=3', '{"z":"1","a":"2","1":"3"}'],
    ['a[b]=1&a[c]=2', '{"a":{"b":"1","c":"2"}}'],
    ['a%5Bb%5D=1', '{"a":{"b":"1"}}'],
    ['a[0]=x&a[2]=y', '{"a":["x",null,"y"]}'],
    ['a[2]=y&a[0]=x', '{"a":["x",null,"y"]}'],
    ['a[]=1&a[]=2', '{"a":["1","2"]}'],
    ['a[1][b][]=1&a[1][b][]=2&a[1][c]=3', '{"a":[null,{"b":["1","2"],"c":"3"}]}'],
    ['a+b=c+d%2B', '{"a b":"c d+"}'],
    ['n=%C3%BC%22', '{"n":"ü\\""}'],
    ['n=ü', '{"n":"ü"}'],
    ['a[b=1&]c=2', '{"a[b":"1","]c":"2"}'],
    ['a]b[c]=1&a[b]c=2&[d]=3&a[[e]]=4', '{"a]b[c]":"1","a[b]c":"2","[d]":"3","a[[e]]":"4"}'],
    ['__proto__[x]=1&toString=2', '{"__proto__":{"x":"1"},"toString":"2"}'],
  ])('%s is read as %s', (body, json) => {
    expect(cell(body, '')).toBe(json);
  });

  test.each<[string, string]>([
    ['a=1;b=2', '";" is not a separator'],
    ['a=%', 'invalid percent encoding "%"'],
    ['a=%zz', 'invalid percent encoding "%zz"'],
    ['%4=1', 'invalid percent encoding "%4"'],
    ['%ff=1', 'not valid UTF-8'],
    ['a[1000]=1', 'an index above 999'],
    [Array.from({ length: 20 }, (_, at) => `a${at}[999]=1`).join('&'), 'array elements are missing'],
    [`a${'[b]'.repeat(400)}=1`, 'nests deeper than 300 levels'],
  ])('%s is refused', (body, message) => {
    expect(cell(body, 'a', { defaultValue: 'x' })).toMatchObject({
      reason: 'invalidForm',
      column: 'c',
      message: expect.stringContaining(message) as string,
    });
  });

  test('texts are quoted unless rawString, and are never numbers', () => {
    expect(cell('a=1', 'a')).toBe('"1"');
    expect(cell('a=1', 'a', { rawString: true })).toBe('1');
    expect(cell('a[0]=1', 'a', { rawString: true })).toBe('["1"]');
    expect(cell('a[1]=1', 'a[0]')).toBe('null');
  });

  test('navigation is strict: an index enters arrays only, a key objects only', () => {
    const none = { defaultValue: 'none', rawString: true };
    expect(cell('a[0]=1', 'a[0]', none)).toBe('1');
    expect(cell('a[0]=1', 'a.0', none)).toBe('none');
    expect(cell('a[b]=1', 'a.b', none)).toBe('1');
    expect(cell('a[b]=1', 'a.b.c', none)).toBe('none');
    expect(cell('a.b=1', '["a.b"]', none)).toBe('1');
    expect(cell('a=1', '[0]', none)).toBe('none');
    expect(cell('a=1', 'b')).toMatchObject({ reason: 'pathNotFound' });
  });

  test('a text that no cell can hold is refused where it is used', () => {
    expect(cell('a=%ff&b=1', 'a')).toMatchObject({ reason: 'invalidText' });
    expect(cell('a=%ff&b=1', 'b')).toBe('"1"');
    expect(cell('a=%00', 'a', { rawString: true })).toMatchObject({ reason: 'invalidText' });
    expect(cell('a=%00', 'a')).toBe('"\\u0000"');
  });
});
