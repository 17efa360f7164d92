import { expect, test } from 'vitest';
import { ingestedEvent, mappingOf, pathColumn } from '../../test/support/mapping-fixture.ts';
import { compileMapping } from './compile-mapping.ts';
import { renderColumns } from './render-columns.ts';
import { createTemplates } from './jsonnet-templates.ts';

test('A24: every column is rendered with its value before CSV quoting or its error, also after one that fails', () => {
  const columns = [
    pathColumn('no', { name: 'first' }),
    pathColumn('a'),
    pathColumn('no'),
    pathColumn('a', { rawString: true }),
  ];
  const compiled = compileMapping(mappingOf(columns), { templates: createTemplates() });
  expect(renderColumns(compiled, ingestedEvent({ body: '{"a":"x, \\"y\\" ü"}' }))).toEqual([
    { name: 'first', error: 'path "no" not found in the body' },
    { name: 'p:a', value: '"x, \\"y\\" ü"' },
    { name: 'p:no', error: 'path "no" not found in the body' },
    { name: 'p:a', value: 'x, "y" ü' },
  ]);
});
