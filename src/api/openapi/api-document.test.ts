import { Validator, type SpecData } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routeTable } from '../routes/families.ts';
import { apiDocument } from './api-document.ts';

const document = JSON.parse(JSON.stringify(apiDocument(routeTable, { version: '1.2.3', serverUrl: '/' }))) as SpecData;
const named = routeTable.map((route) => [`${route.method} ${route.path}`, route] as const);

test('the description of the API is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test.each(named)('%s says what it answers: a schema of its JSON, or the content types of what is none', (_, route) => {
  const answers = Object.entries(route.responses).filter(([status]) => status !== '204');
  const untold = answers.filter(
    ([, { schema, contentTypes = [] }]) => schema === undefined && contentTypes.length === 0,
  );
  expect(untold).toEqual([]);
});

test.each(named)(
  '%s has a sentence as its summary, and describes the parameters of its path',
  (_, { summary, path, schemas }) => {
    expect(summary).toMatch(/^[A-Z`].*\.$/s);
    const names = Array.from(path.matchAll(/\{(\w+)\*?\}/g), ([, name]) => name);
    const shape =
      schemas.params !== undefined && 'shape' in schemas.params ? Object.keys(schemas.params.shape as object) : [];
    expect(new Set(shape)).toEqual(new Set(names));
  },
);

test('no two operations have one name', () => {
  const ids = routeTable.map(({ operationId }) => operationId);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});
