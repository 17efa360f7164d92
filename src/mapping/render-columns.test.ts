import { expect, test } from 'vitest';
import { ingestedEvent, mappingOf, pathColumn } from '../../test/support/mapping-fixture.ts';
import type { Column } from '../core/column.ts';
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
  expect([...renderColumns(compiled, ingestedEvent({ body: '{"a":"x, \\"y\\" ü"}' }))]).toEqual([
    { name: 'first', error: 'path "no" not found in the body' },
    { name: 'p:a', value: '"x, \\"y\\" ü"' },
    { name: 'p:no', error: 'path "no" not found in the body' },
    { name: 'p:a', value: 'x, "y" ü' },
  ]);
});

test('A24: a template is rendered as it would be stored; its error has the place in front', () => {
  const column = (name: string, content: string, rawString = false): Column => ({
    type: 'template',
    name,
    rawString,
    template: { language: 'jsonnet', content },
  });
  const columns = [column('a', 'Body("a")'), column('raw', 'Body("a")', true), column('no', '1 + Body("no")')];
  const compiled = compileMapping(mappingOf(columns), { templates: createTemplates() });
  expect([...renderColumns(compiled, ingestedEvent({ body: '{"a":"x"}' }))]).toEqual([
    { name: 'a', value: '"x"' },
    { name: 'raw', value: 'x' },
    { name: 'no', error: '1:5-15 path "no" not found in the body' },
  ]);
});
