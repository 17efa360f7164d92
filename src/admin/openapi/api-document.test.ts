import { Validator, type SpecData } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { routeTable } from '../routes/route-table.ts';
import { apiDocument } from './api-document.ts';

const document = apiDocument(routeTable, { version: '1.2.3', serverUrl: '/' });

test('the description of the API is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)) as object as SpecData);
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});
