import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { ingestedEvent, mapOnce, recordEvent, type EventParts } from '../../../test/support/mapping-fixture.ts';
import type { ColumnOf } from '../../core/column.ts';
import { limits } from '../../core/limits.ts';
import { templateFault } from '../jsonnet-templates.ts';
import type { MappedEvent } from '../mapped-event.ts';

/** The JSON of a template for an event, or the message of its refusal. */
function result(content: string, event: MappedEvent = ingestedEvent()): string {
  const column: ColumnOf<'template'> = {
    type: 'template',
    name: 't',
    rawString: false,
    template: { language: 'jsonnet', content },
  };
  const mapped = mapOnce(event, [column]);
  return 'cells' in mapped ? (mapped.cells[0] ?? '') : `refused: ${mapped.refusal.message}`;
}

const json = (body: string): MappedEvent => ingestedEvent({ body });
const form = (body: string): MappedEvent => ingestedEvent({ body, type: 'application/x-www-form-urlencoded' });
const withHeaders = (...headers: string[]): MappedEvent => recordEvent({ headers });

/** A call runs in a form of its own when all its arguments are literals: both must agree. */
const asWritten = (content: string): string => content;
const asComputed = (content: string): string => content.replaceAll(/(['"])([^'"]*)\1/g, (text) => `(${text}+"")`);

describe.each([
  ['with literal arguments', asWritten],
  ['with computed arguments', asComputed],
])('Body, %s', (_name, form_) => {
  const order = '{"a":{"b":[10,{"c":"x"}]},"d.e":{"[f]":1},"nothing":null,"":7,"k":[[1,2],[3]]}';
  test.each([
    [`Body("a.b")`, '[10,{"c":"x"}]'],
    [`Body("a.b[0]")`, '10'],
    [`Body("a.b[1].c")`, '"x"'],
    [`Body("k[1][0]")`, '3'],
    [`Body("nothing")`, 'null'],
    [`Body("nothing", 1)`, 'null'],
    [`Body("no")`, 'refused: path "no" not found in the body, which was read as JSON, as its Content-Type says'],
    [
      `Body("a.b[2]")`,
      'refused: path "a.b[2]" not found in the body, which was read as JSON, as its Content-Type says',
    ],
    [`Body("a.b.0")`, 'refused: path "a.b.0" not found in the body, which was read as JSON, as its Content-Type says'],
    [`Body("a[0]")`, 'refused: path "a[0]" not found in the body, which was read as JSON, as its Content-Type says'],
    [
      `Body("nothing.x")`,
      'refused: path "nothing.x" not found in the body, which was read as JSON, as its Content-Type says',
    ],
    [
      `Body("a.b.length")`,
      'refused: path "a.b.length" not found in the body, which was read as JSON, as its Content-Type says',
    ],
    [
      `Body("constructor")`,
      'refused: path "constructor" not found in the body, which was read as JSON, as its Content-Type says',
    ],
    [
      `Body("__proto__")`,
      'refused: path "__proto__" not found in the body, which was read as JSON, as its Content-Type says',
    ],
    [`Body("no", 123)`, '123'],
    [`Body("no", null)`, 'null'],
    [`Body("no", "x")`, '"x"'],
    [`Body("a.b.0", "x")`, '"x"'],
    [`Body("no", default="x")`, '"x"'],
    [`Body(default="x", path="no")`, '"x"'],
  ])('%s is %s', (content, expected) => {
    expect(result(form_(content), json(order))).toBe(expected);
  });

  test('A17: a key in quotes may hold dots and brackets', () => {
    const path = '["d.e"]["[f]"]';
    expect(result(`Body('${path}')`, json(order))).toBe('1');
    expect(result(`local p = '${path}'; Body(p)`, json(order))).toBe('1');
    expect(result(`Body('[""]')`, json(order))).toBe('7');
  });

  test('without a path or with an empty one is the whole body', () => {
    for (const content of ['Body()', 'Body("")', 'Body("", 1)'])
      expect(result(form_(content), json('{"b":1,"a":[true]}'))).toBe('{"a":[true],"b":1}');
  });

  test('an escaped key is the one that was written, whatever event came before', () => {
    result(form_('Body()'), json(String.raw`{"id":1,"\\":1}`));
    expect(result(form_('Body()'), json(String.raw`{"id":1,"\u00e9":2}`))).toBe('{"id":1,"é":2}');
    expect(result(form_('Body("é")'), json(String.raw`{"id":1,"\u00e9":2}`))).toBe('2');
  });

  test('a path that is no path is refused with its position and rule', () => {
    const fault =
      'invalid path "a..b" at position 3: a key must not be empty here (write [""] for the key without characters)';
    expect(result(asComputed('Body("a..b")'))).toBe(`refused: ${fault}`);
    expect(result(asComputed('Body("a..b", 1)'))).toBe(`refused: ${fault}`);
    expect(templateFault('Body("a..b", 1)')).toBe(`1:1-16 ${fault}`);
  });

  test('a body that is not JSON is refused, default or not, with the place in the body', () => {
    for (const content of ['Body()', 'Body("a")', 'Body("a", "x")']) {
      expect(result(form_(content), json('{"a":}'))).toBe(
        `refused: cannot parse request json: unexpected character '}' at 1:6; the body was read as JSON, as its Content-Type says`,
      );
      expect(result(form_(content), json(''))).toBe(
        'refused: cannot parse request json: the body is empty at 1:1; the body was read as JSON, as its Content-Type says',
      );
    }
  });

  test('a body that is no object is refused, default or not', () => {
    for (const content of ['Body()', 'Body("[0]")', 'Body("a", "x")']) {
      expect(result(form_(content), json('[1]'))).toContain(
        'refused: cannot parse request json: it must be an object, but is an array',
      );
      expect(result(form_(content), json('7'))).toContain('it must be an object, but is a single value');
    }
  });

  test('a body of another content type is refused, default or not', () => {
    const text = (what: string): string =>
      `refused: cannot parse request body:\n- ${what} supported types: application/json, application/x-www-form-urlencoded and multipart/form-data; a column of type body and BodyStr() take any body`;
    for (const content of ['Body()', 'Body("a")', 'Body("a", "x")']) {
      expect(result(form_(content), ingestedEvent({ body: '{}', type: 'text/plain' }))).toBe(
        text('unsupported content type "text/plain",'),
      );
      expect(result(form_(content), ingestedEvent({ body: '{}', type: undefined }))).toBe(text(noContentType));
    }
  });
});

const noContentType =
  'the event has no content type: let its sender give one in the header Content-Type, or its source in the setting ingest.defaultContentType;';

describe('Body', () => {
  test.each<[string, EventParts]>([
    ['any case and parameters', { type: 'Application/JSON; charset=utf-8' }],
    ['a JSON subtype', { type: 'application/cloudevents+json' }],
  ])('A1: reads JSON under %s', (_name, parts) => {
    expect(result('Body("a")', ingestedEvent({ body: '{"a":1}', ...parts }))).toBe('1');
  });

  test('A37: reads the record of a producer without a content type as JSON', () => {
    expect(result('Body("a")', recordEvent({ body: '{"a":1}' }))).toBe('1');
  });

  test('reads a form: texts, objects and arrays, entered strictly', () => {
    const event = form('a=1&o[x]=%C3%BC&l[]=p&l[]=q&__proto__=own');
    expect(result('Body()', event)).toBe('{"__proto__":"own","a":"1","l":["p","q"],"o":{"x":"ü"}}');
    expect(result('Body("l[1]") + Body("o.x") + Body("__proto__")', event)).toBe('"qüown"');
    expect(result('Body("l.1", "no")', event)).toBe('"no"');
    expect(result('Body()', form(''))).toBe('{}');
  });

  test('refuses what is wrong in a form', () => {
    expect(result('Body("a", 1)', form('a=1;b=2'))).toContain(
      'refused: cannot parse request form: ";" is not a separator',
    );
    expect(result('Body("a")', form('a=%ff&b=1'))).toContain(
      'refused: cannot parse request form: the value is no text',
    );
    expect(result('Body("b")', form('a=%ff&b=1'))).toBe('"1"');
  });

  test('keeps a field that is named like a member of every object', () => {
    const event = json('{"__proto__":{"x":1},"hasOwnProperty":2,"constructor":3}');
    expect(result('Body("__proto__.x") + Body("hasOwnProperty") + Body("constructor")', event)).toBe('6');
    expect(result('Body()', event)).toBe('{"__proto__":{"x":1},"constructor":3,"hasOwnProperty":2}');
  });

  test('of duplicate keys has the last one', () => {
    expect(result('Body("a")', json('{"a":1,"a":2}'))).toBe('2');
  });

  test('A20: numbers are printed as texts that read back', () => {
    expect(result('Body()', json('{"a":42.10,"b":1e3,"c":9007199254740993,"d":0.1}'))).toBe(
      '{"a":42.1,"b":1000,"c":9007199254740992,"d":0.1}',
    );
  });

  test('refuses a number that no template could hold', () => {
    expect(result('Body("b")', json('{"a":[{"x":1e400}],"b":1}'))).toContain(
      'refused: cannot parse request json: it holds a number',
    );
  });

  test('D8: refuses a body that is nested deeper than a path column takes', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(result('std.type(Body("a"))', json(nested(limits.jsonNesting)))).toBe('"array"');
    expect(result('std.type(Body("a"))', json(nested(limits.jsonNesting + 1)))).toContain('more than 300 levels');
    expect(result('std.type(Body("a"))', json(nested(100_000)))).toContain('more than 300 levels');
  });

  test('D8: refuses a body of more values than are kept in memory, whatever stands in its texts', () => {
    const list = (count: number): string => `{"a":[${Array.from({ length: count }, () => '[]').join(',')}]}`;
    const type = 'std.type(Body())';
    expect(result(type, json(list(1_000_001)))).toBe(
      'refused: cannot parse request json: it holds more than 1000000 values; the body was read as JSON, as its Content-Type says',
    );
    expect(result(type, json(list(900_000)))).toBe('"object"');
    expect(result(type, json(JSON.stringify({ a: '[,\\"'.repeat(1_000_000) })))).toBe('"object"');
  });

  test('refuses a body that is not UTF-8', () => {
    expect(result('Body("a")', ingestedEvent({ body: Buffer.from([0x7b, 0xff, 0x7d]) }))).toBe(
      'refused: cannot parse request json: it is not valid UTF-8; the body was read as JSON, as its Content-Type says',
    );
  });

  test('names function and argument when a path is no text', () => {
    expect(result('Body(1 + 0)')).toBe('refused: Body: argument "path": Unexpected type number, expected string');
    expect(result('local n = null; Body(n)')).toContain('argument "path": Unexpected type null, expected string');
  });

  test('is also what std.native gives', () => {
    expect(result('std.native("Body")("a")', json('{"a":1}'))).toBe('1');
  });

  test('can be hidden by a variable of the same name', () => {
    expect(result('local Body(x) = x; Body("a")', json('{}'))).toBe('"a"');
  });
});

describe('BodyStr', () => {
  test('is the body as it came, whatever its type', () => {
    expect(result('BodyStr()', json(' {"a": 1}\n'))).toBe(String.raw`" {\"a\": 1}\n"`);
    expect(result('BodyStr()', ingestedEvent({ body: 'ü', type: undefined }))).toBe('"ü"');
    expect(result('BodyStr()', json(''))).toBe('""');
  });

  test('refuses what is no text, and what is over the limit of a string', () => {
    expect(result('BodyStr()', ingestedEvent({ body: Buffer.from([0xff]) }))).toBe(
      'refused: the body is no text: it is not valid UTF-8',
    );
    expect(result('BodyStr()', json('x'.repeat(1_048_577)))).toContain('refused: limit textLength exceeded');
  });
});

describe.each([
  ['with literal arguments', asWritten],
  ['with computed arguments', asComputed],
])('Header, %s', (_name, form_) => {
  const event = withHeaders(
    'x-b',
    '1',
    'X-A',
    'ü',
    'cookie',
    'a=1',
    'X-B',
    '2',
    'Cookie',
    'b=2',
    'millrace-remote',
    '::1',
  );

  test('of a name in any case is its value', () => {
    expect(result(form_('Header("X-a")'), event)).toBe('"ü"');
    expect(result(form_('Header("x-A", "none")'), event)).toBe('"ü"');
    expect(result(form_('Header(name="x-A")'), event)).toBe('"ü"');
    expect(result(form_('Header(header="x-A")'), event)).toBe('"ü"');
    expect(result(form_('Header(default="none", header="x-C")'), event)).toBe('"none"');
  });

  test('A18: of a repeated name is all values in the order received', () => {
    expect(result(form_('Header("X-B") + "|" + Header("COOKIE")'), event)).toBe('"1, 2|a=1; b=2"');
  });

  test('that is absent is the default, or a refusal with the canonical name', () => {
    expect(result(form_('Header("X-Header-3", "def")'), event)).toBe('"def"');
    expect(result(form_('Header("x-HEADER-3")'), event)).toBe('refused: header "X-Header-3" not found');
    expect(result(form_('Header("millrace-remote")'), event)).toBe('refused: header "Millrace-Remote" not found');
  });

  test('without a name is an object of all, by canonical names', () => {
    for (const content of ['Header()', 'Header("")'])
      expect(result(form_(content), event)).toBe('{"Cookie":"a=1; b=2","X-A":"ü","X-B":"1, 2"}');
    expect(result(form_('Header()'), withHeaders())).toBe('{}');
  });

  test('names function and argument when a name is no text', () => {
    expect(result('Header(1 + 0)')).toBe('refused: Header: argument "name": Unexpected type number, expected string');
  });
});

describe('HeaderStr', () => {
  test('has a line for each header, the lines in alphabetical order', () => {
    const event = withHeaders('x-b', '1', 'X', '3', 'x-B', '2', 'Accept', '*/*');
    expect(result('HeaderStr()', event)).toBe(String.raw`"Accept: */*\nX-B: 1, 2\nX: 3\n"`);
  });

  test('is empty without headers', () => {
    expect(result('HeaderStr()', withHeaders())).toBe('""');
  });

  test('D8: refuses more headers than a string holds', () => {
    const event = withHeaders('A', 'x'.repeat(1_100_000));
    for (const content of ['HeaderStr()', 'Header()'])
      expect(result(content, event)).toContain('refused: limit textLength');
  });
});

describe('Ip', () => {
  test('is the address of the sender, empty for the record of a producer', () => {
    expect(result('Ip()')).toBe('"203.0.113.77"');
    expect(result('Ip()', recordEvent({}))).toBe('""');
  });
});

describe.each([
  ['with literal arguments', asWritten],
  ['with computed arguments', asComputed],
])('Now, %s', (_name, form_) => {
  test('is the arrival of the event in UTC', () => {
    expect(result(form_('Now()'))).toBe('"2006-01-02T08:04:05.007Z"');
    expect(result(form_('Now("%d/%m/%y %k:%M")'))).toBe('"02/01/06  8:04"');
    expect(result(form_('Now("")'))).toBe('""');
  });

  test('refuses a code that there is not', () => {
    expect(result(asComputed('Now("%Y %Q")'))).toContain(
      'refused: datetime format "%Y %Q" is invalid: unknown code "%Q" at position 4',
    );
  });

  test('names function and argument when a format is no text', () => {
    expect(result('Now(1 + 0)')).toBe('refused: Now: argument "format": Unexpected type number, expected string');
  });

  test('refuses a time outside of the years that can be written', () => {
    expect(result(form_('Now("%Y")'), recordEvent({ timestamp: 1e15 }))).toContain('outside of the years 0000 to 9999');
  });

  test('D8: refuses a format that could write more than a string holds', () => {
    expect(result(`Now(std.repeat("%c", 100000))`)).toContain('refused: limit textLength');
  });
});

describe('D9: what a call can take for no event is refused before any event, with the place', () => {
  test.each([
    ['Body("a[x]", 5)', 'invalid path "a[x]" at position 3: expected a decimal index or a key in double quotes'],
    ['Body(path="a..b")', 'invalid path "a..b" at position 3: '],
    ['Body(1)', 'Body: argument "path": Unexpected type number, expected string'],
    ['Body(null)', 'Body: argument "path": Unexpected type null, expected string'],
    ['Body(nope=1)', 'Body: function has no parameter nope'],
    ['Body("a", 1, 2)', 'Body: function expected 2 positional argument(s), but got 3'],
    ['Body("a", path="b")', 'Body: Argument path already provided'],
    ['Now("%Q")', 'datetime format "%Q" is invalid: unknown code "%Q" at position 1'],
    ['Now(1)', 'Now: argument "format": Unexpected type number, expected string'],
    ['Header(1)', 'Header: argument "name": Unexpected type number, expected string'],
    ['Header(header="a", name="b")', 'Header: Argument name already provided'],
    ['Ip("x")', 'Ip: function expected 0 positional argument(s), but got 1'],
    ['BodyStr(1)', 'BodyStr: function expected 0 positional argument(s), but got 1'],
    ['HeaderStr(x=1)', 'HeaderStr: function has no parameter x'],
  ])('%s', (call, message) => {
    expect(templateFault(`local a = 1;\nif a == 2 then ${call}`)).toMatch(/^2:16-\d+ /);
    expect(templateFault(call)).toContain(message);
  });

  test('but what is computed is not', () => {
    for (const content of [
      'local p = "a[x]"; Body(p)',
      'Now("%" + "Q")',
      'Header(Body("a"))',
      'local Now(f) = f; Now("%Q")',
    ])
      expect(templateFault(content)).toBeUndefined();
  });
});
