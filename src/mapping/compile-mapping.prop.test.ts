import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from '../core/column.ts';
import {
  csvCells,
  ingestedEvent,
  mapOnce,
  mappingOf,
  oddCharacters,
  pathColumn,
  recordEvent,
} from '../../test/support/mapping-fixture.ts';
import { compileMapping } from './compile-mapping.ts';
import { LineWriter } from './line-writer.ts';
import { createTemplates } from './jsonnet-templates.ts';

const plainTypes = ['uuid', 'datetime', 'ip', 'body', 'headers'] as const;
const plain: readonly Column[] = plainTypes.map((type) => ({ type, name: type }));
const templates = createTemplates();

test('a row is read back by a CSV reader cell by cell', () => {
  const value = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const columns = values.map((_, at) => pathColumn(`[${at}]`, { rawString: true }));
      expect(mapOnce(ingestedEvent({ body: JSON.stringify(values) }), columns)).toHaveProperty('cells', values);
    }),
  );
});

test('D9: random bytes become a row or a refusal and never throw', () => {
  const columns = [...plain, pathColumn('a'), pathColumn('[0].b', { rawString: true, defaultValue: '' })];
  const compiled = compileMapping(mappingOf(columns), { templates });
  const type = fc.constantFrom(undefined, 'application/json', 'application/x-www-form-urlencoded', '\u0000');
  const headers = fc.array(fc.string({ unit: fc.constantFrom(...oddCharacters) }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.uint8Array(), type, fc.tuple(headers, fc.double()), (body, contentType, [list, timestamp]) => {
      const writer = new LineWriter(4);
      for (const event of [
        ingestedEvent({ body, type: contentType, headers: list }),
        recordEvent({ body, headers: list, timestamp }),
      ]) {
        const result = compiled.mapEvent(event, writer);
        const cells = result.kind === 'row' ? csvCells(writer.line().toString()).length : 0;
        expect(cells).toBe(result.kind === 'row' ? columns.length : 0);
      }
    }),
  );
});
