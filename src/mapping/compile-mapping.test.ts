import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import type { Column, ColumnOf } from '../core/column.ts';
import { limits } from '../core/limits.ts';
import {
  eventId,
  ingestedEvent,
  mapOnce,
  mappingOf,
  pathColumn,
  recordEvent,
} from '../../test/support/mapping-fixture.ts';
import { BodyPaths } from './body-paths.ts';
import { compileMapping } from './compile-mapping.ts';
import { LineWriter } from './line-writer.ts';
import { createTemplates } from './jsonnet-templates.ts';
import type { TemplateResult } from './template.ts';

const plainTypes = ['uuid', 'datetime', 'ip', 'body', 'headers'] as const;
const plain: readonly Column[] = plainTypes.map((type) => ({ type, name: type }));
const bodyColumn: Column = { type: 'body', name: 'body' };
const templates = createTemplates();

describe('a row', () => {
  test('has every cell quoted, inner quotes doubled, commas between and a line feed at the end', () => {
    const mapped = mapOnce(ingestedEvent({ body: '{"a": "x,y"}' }), [...plain, pathColumn('a')]);
    expect(mapped).toHaveProperty(
      'line',
      `"${eventId}","2006-01-02T08:04:05.007Z","203.0.113.77","{""a"": ""x,y""}",` +
        '"{""Content-Type"":""application/json""}","""x,y"""\n',
    );
  });

  test('has the body as it came, whatever its type', () => {
    const body = 'a,"b"\r\n\tü\\';
    expect(mapOnce(ingestedEvent({ body, type: undefined }), [bodyColumn])).toHaveProperty('cells', [body]);
    expect(mapOnce(ingestedEvent({ body: '' }), [bodyColumn])).toHaveProperty('line', '""\n');
  });
});

describe('an event that cannot be a row', () => {
  test('A36: a body with invalid UTF-8 or U+0000 is refused by its column', () => {
    for (const body of [Buffer.from([0x22, 0xc3, 0x22]), 'a\u0000b']) {
      expect(mapOnce(ingestedEvent({ body }), [bodyColumn])).toMatchObject({
        refusal: { reason: 'invalidText', column: 'body' },
      });
    }
  });

  test('D8: a row over the limit is refused with the column and the limit', () => {
    const room = limits.rowBytes - '"",""\n'.length;
    const fits = mapOnce(ingestedEvent({ body: 'x'.repeat(room) }), [bodyColumn, { type: 'ip', name: 'ip' }]);
    expect(fits).toMatchObject({ refusal: { column: 'ip' } });
    const alone = mapOnce(ingestedEvent({ body: 'x'.repeat(limits.rowBytes - 3) }), [bodyColumn]);
    expect(alone).toHaveProperty('line.length', limits.rowBytes);
    for (const body of ['x'.repeat(limits.rowBytes - 2), '"'.repeat(limits.rowBytes / 2 - 1)]) {
      const mapped = mapOnce(ingestedEvent({ body }), [bodyColumn]);
      expect(mapped).toMatchObject({ refusal: { reason: 'rowTooLarge', column: 'body' } });
      expect(mapped).toHaveProperty('refusal.message', expect.stringContaining(String(limits.rowBytes)));
    }
  });

  test('D8: the body of an event over the limit is not read at all', () => {
    const body = Buffer.alloc(limits.eventBytes + 1, '{');
    for (const columns of [[pathColumn('a')], [bodyColumn], [plain[0] ?? bodyColumn]]) {
      const mapped = mapOnce(ingestedEvent({ body }), columns);
      expect(mapped).toMatchObject({ refusal: { reason: 'eventTooLarge', column: '' } });
      expect(mapped).toHaveProperty('refusal.message', expect.stringContaining(String(body.length)));
    }
    const atLimit = mapOnce(ingestedEvent({ body: body.subarray(1) }), [pathColumn('a')]);
    expect(atLimit).toMatchObject({ refusal: { reason: 'invalidJson' } });
  });

  test('D8: headers that no row could hold are not joined', () => {
    for (const headers of [['A', 'x'.repeat(limits.rowBytes)], Array.from({ length: limits.rowBytes + 2 }, () => '')])
      expect(mapOnce(recordEvent({ headers }), [{ type: 'headers', name: 'h' }])).toMatchObject({
        refusal: { reason: 'rowTooLarge', column: 'h' },
      });
  });

  test('a timestamp that the format cannot write is refused', () => {
    const event = recordEvent({ timestamp: 1e15 });
    expect(mapOnce(event, [{ type: 'datetime', name: 'd' }])).toMatchObject({
      refusal: { reason: 'undecodable', column: 'd' },
    });
  });

  test('leaves nothing in the writer and does not disturb the lines around it', () => {
    const writer = new LineWriter(8);
    const compiled = compileMapping(mappingOf([bodyColumn, pathColumn('a')]), { templates });
    const lines = ['{"a":1}', '{"b":1}', 'broken', '{"a":2}'].map((body) => {
      const before = writer.length;
      const { kind } = compiled.mapEvent(ingestedEvent({ body }), writer);
      return kind === 'row' ? writer.line().toString() : writer.length - before;
    });
    expect(lines).toEqual(['"{""a"":1}","1"\n', 0, 0, '"{""a"":2}","2"\n']);
  });
});

describe('a filter on signals', () => {
  const compiled = compileMapping(mappingOf([bodyColumn], ['logs', 'traces']), { templates });
  test.each<[readonly string[], string]>([
    [['millrace-signal', 'logs'], 'row'],
    [['millrace-signal', 'metrics'], 'filtered'],
    [[], 'row'],
  ])('makes of an event with %j a %s', (headers, kind) => {
    expect(compiled.mapEvent(ingestedEvent({ headers }), new LineWriter()).kind).toBe(kind);
  });
});

describe('mappings that share their paths', () => {
  test('read a body once, also when paths come and go', () => {
    const paths = new BodyPaths();
    const compile = (path: string) => compileMapping(mappingOf([pathColumn(path)]), { templates, paths });
    const event = ingestedEvent({ body: '{"a":{"b":1},"c":2}' });
    const cell = (mapping: ReturnType<typeof compile>): string => {
      const writer = new LineWriter();
      mapping.mapEvent(event, writer);
      return writer.line().toString();
    };
    const [ab, c] = [compile('a.b'), compile('c')];
    expect(cell(ab)).toBe('"1"\n');
    const { bodyScan } = event;
    expect(cell(c)).toBe('"2"\n');
    expect(event.bodyScan).toBe(bodyScan);
    const a = compile('a');
    expect([cell(a), cell(ab), cell(c)]).toEqual(['"{""b"":1}"\n', '"1"\n', '"2"\n']);
    ab.release();
    expect(() => cell(ab)).toThrow(/after its release/);
    const again = compile('a.b');
    compile('a.b').release();
    expect([cell(a), cell(again), cell(c)]).toEqual(['"{""b"":1}"\n', '"1"\n', '"2"\n']);
  });
});

test('D8: a body keeps no more than what it holds of a thousand paths, and each is found', () => {
  const columns = Array.from({ length: 1000 }, (_, at) =>
    pathColumn(`k${at}`, { defaultValue: 'none', rawString: true }),
  );
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at * 10}`, at])));
  const expected = columns.map((_, at) => (at % 10 === 0 ? String(at / 10) : 'none'));
  expect(mapOnce(ingestedEvent({ body }), columns)).toHaveProperty('cells', expected);
});

test('D8: of a thousand paths with one beginning each is found, escaped or not, also when paths come and go', () => {
  const paths = new BodyPaths();
  const names = Array.from({ length: 1000 }, (_, at) => `feld_ü${String(at).padStart(4, '0')}`);
  const compile = (wanted: readonly string[]) => {
    const columns = wanted.map((name) => pathColumn(name, { defaultValue: 'none', rawString: true }));
    return compileMapping(mappingOf(columns), { templates, paths });
  };
  const [gone, kept] = [compile(names.slice(0, 500)), compile(names.slice(250))];
  gone.release();
  const again = compile(names.slice(100, 300));
  const members = names.map((name, at) => `"${at % 2 === 0 ? name : name.replace('ü', '\\u00fc')}":${at}`);
  const event = ingestedEvent({ body: `{${members.join(',')}}` });
  for (const [mapping, from] of [
    [kept, 250],
    [again, 100],
  ] as const) {
    const writer = new LineWriter();
    mapping.mapEvent(event, writer);
    expect(writer.line().toString()).toBe(`${mapping.cells.map((_, at) => `"${from + at}"`).join(',')}\n`);
  }
});

describe('a template column', () => {
  const column: ColumnOf<'template'> = {
    type: 'template',
    name: 't',
    rawString: false,
    template: { language: 'jsonnet', content: '1' },
  };
  const giving = (result: TemplateResult) => ({ rowSteps: 1, compile: () => ({ evaluate: () => result }) });

  test('D9: that can be right for no event is refused with its name and the place in the template', () => {
    const wrong: ColumnOf<'template'> = { ...column, template: { language: 'jsonnet', content: 'Invalid' } };
    expect(() => mapOnce(ingestedEvent(), [wrong])).toThrow(
      'column "t" template is invalid: 1:1-8 Unknown variable: Invalid',
    );
  });

  test('writes the JSON of the template, a string without quotes under rawString', () => {
    const engine = giving({ kind: 'json', text: '"a\\n\\"b"' });
    expect(mapOnce(ingestedEvent(), [column], engine)).toHaveProperty('cells', ['"a\\n\\"b"']);
    expect(mapOnce(ingestedEvent(), [{ ...column, rawString: true }], engine)).toHaveProperty('cells', ['a\n"b']);
  });

  test('that fails refuses the event with the place in the template', () => {
    const failed = { reason: 'templateError', message: 'division by zero', place: '1:1-4' } as const;
    expect(mapOnce(ingestedEvent(), [column], giving({ kind: 'failed', ...failed }))).toEqual({
      refusal: { ...failed, column: 't' },
    });
  });
});
