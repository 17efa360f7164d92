import { expect, test } from 'vitest';
import { MillraceError } from '../core/millrace-error.ts';
import { asTypedFields } from './as-typed-fields.ts';

const fields = { name: 'the name', sinkId: '--id', tableId: '--table' };

test.each([
  ['Invalid "tableId" value "tableId": it has one part.', 'Invalid --table value "tableId": it has one part.'],
  ['Length of body.name must be greater or equal than 1.', 'Length of the name must be greater or equal than 1.'],
  ['"sinkId" must not be empty; give a "sinkId" that has some.', '--id must not be empty; give a --id that has some.'],
  ['Source "name" not found in the branch.', 'Source "name" not found in the branch.'],
  ['Length of body.other must be 1.', 'Length of body.other must be 1.'],
])('D9: a refusal names what was typed: %s', async (message, typed) => {
  const refused = Promise.reject(new MillraceError('client.refused', message));
  await expect(asTypedFields(fields, refused)).rejects.toThrow(typed);
});

test('what went wrong otherwise is left as it is', async () => {
  const lost = new MillraceError('client.unreachable', 'No answer for body.name.');
  await expect(asTypedFields(fields, Promise.reject(lost))).rejects.toBe(lost);
});
