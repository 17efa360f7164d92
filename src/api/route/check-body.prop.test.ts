import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { validationError } from '../errors/validation-error.ts';
import { createSinkBody } from '../schemas/sink-body.ts';
import { createSourceBody } from '../schemas/source-body.ts';
import { checkBody, type BodyElements } from './check-body.ts';

const elements: BodyElements = { field: 'sinks', schema: createSinkBody, most: 100 };

const column = fc.oneof(
  fc.record({ type: fc.constantFrom('uuid', 'path', 'nope'), name: fc.constantFrom('a', 1, null) }),
  fc.jsonValue({ maxDepth: 1 }),
);
const sink = fc.oneof(
  fc.record(
    {
      name: fc.constantFrom('k', '', 7),
      description: fc.constantFrom(null, 'text'),
      table: fc.record({ tableId: fc.constant('in.c-a.b'), mapping: fc.record({ columns: fc.array(column) }) }),
    },
    { requiredKeys: ['table'] },
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const body = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('HTTP', 'nope'),
      name: fc.constantFrom('x', ''),
      sinks: fc.array(sink, { maxLength: 120 }),
    },
    { requiredKeys: ['sinks'] },
  ),
  fc.record({ type: fc.constant('http'), name: fc.constant('x'), sinks: fc.jsonValue() }),
  fc.jsonValue(),
);

function whole(value: unknown): unknown {
  const result = createSourceBody.safeParse(value, { reportInput: true });
  return result.success ? result.data : told(validationError(result.error.issues, 'body'));
}

function told(thrown: unknown): unknown {
  return thrown instanceof ApiError ? [thrown.api, thrown.message] : thrown;
}

it('what is checked an element at a time has the outcome of what is checked as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      expect(await checkBody(createSourceBody, value, elements).catch(told)).toEqual(whole(value));
    }),
    { numRuns: 300 },
  );
});

it('D8: between two sinks of a body the thread does other things', async () => {
  const columns = Array.from({ length: 100 }, () => ({ type: 'nope' }));
  const sinks = Array.from({ length: 100 }, () => ({ name: 'k', table: { tableId: 't', mapping: { columns } } }));
  const checked = checkBody(createSourceBody, { type: 'http', name: 'x', sinks }, elements).catch(told);
  let turns = 0;
  const turn = (): Promise<'turn'> => setImmediate('turn' as const);
  while ((await Promise.race([checked, turn()])) === 'turn') turns += 1;
  expect(await checked).toEqual(['invalidEnumValue', expect.stringMatching(/\n- And 19980 more\.$/)]);
  expect(turns).toBeGreaterThan(sinks.length - 2);
});

it('D8: of what is wrong only that is put into words which is told', () => {
  let words = 0;
  const input = { toJSON: () => (words += 1) };
  const issue: z.core.$ZodIssue = { code: 'invalid_type', expected: 'string', input, path: ['a'], message: '' };
  const { message } = validationError(
    Array.from({ length: 1000 }, () => issue),
    'body',
  );
  expect(message).toMatch(/\n- And 980 more\.$/);
  expect(words).toBe(20);
});
