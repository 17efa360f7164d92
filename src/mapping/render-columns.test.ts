import { expect, test } from 'vitest';
import { ingestedEvent, mappingOf, pathColumn } from '../../test/support/mapping-fixture.ts';
import type { Column } from '../core/column.ts';
import { compileMapping } from './compile-mapping.ts';
import { renderColumns } from './render-columns.ts';
import { LineWriter } from './line-writer.ts';
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
    { name: 'first', error: 'path "no" not found in the body, which was read as JSON, as its Content-Type says' },
    { name: 'p:a', value: '"x, \\"y\\" ü"' },
    { name: 'p:no', error: 'path "no" not found in the body, which was read as JSON, as its Content-Type says' },
    { name: 'p:a', value: 'x, "y" ü' },
  ]);
});

test('D8: the templates of a row share steps; the next row has all of them again, and no other mapping pays', () => {
  const turns = 'std.foldl(function(n, i) n + i, std.range(1, 200), 0)';
  const columns = Array.from({ length: 7 }, (_, at): Column => {
    const template = { language: 'jsonnet', content: turns } as const;
    return { type: 'template', name: `c${at}`, rawString: false, template };
  });
  const templates = createTemplates({ steps: 1000 });
  const compiled = compileMapping(mappingOf(columns), { templates });
  const single = compileMapping(mappingOf(columns.slice(0, 1)), { templates });
  const event = ingestedEvent({ body: '{}' });
  for (let row = 0; row < 3; row++) {
    const rendered = [...renderColumns(compiled, event)];
    expect(rendered[0]).toEqual({ name: 'c0', value: '20100' });
    expect(rendered[6]).toEqual({
      name: 'c6',
      error: expect.stringContaining('limit steps exceeded: more than 1000 steps in all templates of a row') as string,
    });
    expect([...renderColumns(single, event)]).toEqual([{ name: 'c0', value: '20100' }]);
    expect(compiled.mapEvent(event, new LineWriter())).toMatchObject({
      kind: 'dead',
      refusal: { reason: 'templateLimit' },
    });
  }
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
    { name: 'no', error: '1:5-15 path "no" not found in the body, which was read as JSON, as its Content-Type says' },
  ]);
});
