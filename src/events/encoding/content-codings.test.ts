import { expect, test } from 'vitest';
import { codingsOf } from './content-codings.ts';
import { decodedHeaders } from './decoded-headers.ts';

test.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['X-GZip', ['gzip']],
  ['gzip, br', ['gzip', 'br']],
  [' , deflate ,identity,ZSTD', ['deflate', 'zstd']],
])('A45: a Content-Encoding of %j lists %j', (header, codings) => {
  expect(codingsOf(header)).toEqual(codings);
});

test.each([
  ['compress', 'Invalid header "Content-Encoding" value "compress": must be one of "gzip", "deflate", "br", "zstd"'],
  ['gzip, x-br', 'Invalid header "Content-Encoding" value "x-br": must be'],
  ['gzip;q=1', 'Invalid header "Content-Encoding" value "gzip;q=1": must be'],
  ['gzip,gzip,gzip,gzip', 'Invalid header "Content-Encoding": it lists more than 3 codings'],
])('A45: a Content-Encoding of %j is refused with what is taken', (header, message) => {
  const refused = codingsOf(header);
  expect(refused).toMatchObject({
    fault: 'unsupported',
    name: 'unsupportedMediaType',
    acceptEncoding: 'gzip, deflate, br, zstd',
  });
  expect((refused as { message: string }).message).toContain(message);
});

test('A45: the headers of a decoded body are those that it would have come with', () => {
  const raw = ['Host', 'a', 'content-encoding', 'gzip', 'Content-Length', '20', 'Content-Encoding', 'br', 'X', 'gzip'];
  expect(decodedHeaders(raw, 7)).toEqual(['Host', 'a', 'Content-Length', '7', 'X', 'gzip']);
  expect(decodedHeaders(['Content-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'], 7)).toEqual([
    'Transfer-Encoding',
    'chunked',
  ]);
});
