import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalHeaderName, canonicalHeaders } from './canonical-headers.ts';
import { headerValue } from './header-value.ts';

const name = fc.constantFrom(
  'cookie',
  'Cookie',
  'COOKIE',
  'x-id',
  'X-ID',
  'Host',
  'host',
  'X-Ip',
  'x-if',
  '8-id',
  'a',
  'b',
);
const headers = fc.array(fc.tuple(name, fc.constantFrom('', '1', '2')), { maxLength: 12 }).map((pairs) => pairs.flat());

test('A18: one header has the value that it has among all of them', () => {
  fc.assert(
    fc.property(headers, name, (all, wanted) => {
      expect(headerValue(all, wanted.toLowerCase())).toBe(canonicalHeaders(all).get(canonicalHeaderName(wanted)));
    }),
  );
});
