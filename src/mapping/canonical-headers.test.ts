import { describe, expect, test } from 'vitest';
import { ingestedEvent, mapOnce, recordEvent } from '../../test/support/mapping-fixture.ts';
import { canonicalHeaderName } from './canonical-headers.ts';

function cell(headers: readonly string[]): string | undefined {
  const mapped = mapOnce(recordEvent({ headers }), [{ type: 'headers', name: 'h' }]);
  return 'cells' in mapped ? mapped.cells[0] : undefined;
}

describe('a headers column', () => {
  test.each([
    ['content-type', 'Content-Type'],
    ['X-REQUEST-id', 'X-Request-Id'],
    ['etag', 'Etag'],
    ['x--y-', 'X--Y-'],
    ['3d-view', '3d-View'],
    ['', ''],
  ])('writes the name %s as %s', (name, canonical) => {
    expect(canonicalHeaderName(name)).toBe(canonical);
  });

  test('is a JSON object with sorted names', () => {
    expect(cell(['x-b', '2', 'Host', 'h', 'accept', '*/*'])).toBe('{"Accept":"*/*","Host":"h","X-B":"2"}');
    expect(cell([])).toBe('{}');
  });

  test('joins repeated names in the order received, cookies with a semicolon', () => {
    expect(cell(['x-a', '1', 'cookie', 'c=1', 'X-A', '2', 'Cookie', 'd=2'])).toBe('{"Cookie":"c=1; d=2","X-A":"1, 2"}');
  });

  test('escapes what is special in HTML, control characters, quotes and line separators', () => {
    expect(cell(['x', '<a>&"\\\u2028\u2029\n\u0000ü'])).toBe(
      '{"X":"\\u003ca\\u003e\\u0026\\"\\\\\\u2028\\u2029\\n\\u0000ü"}',
    );
  });

  test('never shows reserved headers, in any case', () => {
    expect(cell(['millrace-id', 'x', 'Millrace-Secret', 'y', 'millrace', 'z'])).toBe('{"Millrace":"z"}');
    expect(ingestedEvent({ headers: ['MILLRACE-FORMAT', 'none'] }).headers).toEqual([
      'content-type',
      'application/json',
    ]);
  });
});
