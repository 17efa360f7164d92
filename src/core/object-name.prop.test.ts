import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIncarnation } from './ids.ts';
import { objectName, parseObjectName } from './object-name.ts';

const name = fc.record({
  incarnation: fc.integer({ min: 1 }).map(parseIncarnation),
  partition: fc.nat(),
  stamp: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  unique: fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/),
  part: fc.constantFrom('rows' as const, 'dead' as const, 'letters' as const),
});

test('the name of an object says whose it is, when it was made and what it holds', () => {
  fc.assert(
    fc.property(name, (parts) => {
      expect(parseObjectName(objectName(parts))).toEqual(parts);
    }),
  );
});

test.each([
  '',
  '0/0/1-a.rows.csv',
  '1/0/1-a.rows',
  '1/00/1-a.rows.csv',
  '1/0/1-.rows.csv',
  '1/0/1-a.other.csv',
  'x/1/0/1-a.rows.csv',
  '1/0/1-a.rows.csv\n',
  '99999999999999999999/0/1-a.rows.csv',
])('a foreign object %j is not ours', (text) => expect(parseObjectName(text)).toBeUndefined());
