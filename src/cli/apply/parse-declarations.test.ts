import { describe, expect, it } from 'vitest';
import { parseDeclarations } from './parse-declarations.ts';

const upload = 'storage.level.staging.upload.trigger';

const shop = `
sources:
  shop:
    name: Web Shop
    description: |
      Orders
      and visits
    settings:
      ${upload}.interval: 5000ms
      ${upload}.size: 2048
      ${upload}.count:
    sinks:
      orders:
        table: in.c-shop.orders
        allowedSignals: [traces, logs]
        columns:
          - id:uuid
          - customer:text:customer.name?=
          - { name: total, type: path, path: total }
          - name: line
            type: template
            template: |
              Body("a") +
              Body("b")
`;

function problemsOf(text: string): readonly string[] {
  return parseDeclarations(text, 'shop.yaml').problems;
}

describe('a file of declarations', () => {
  it('has defaults for what it does not say, and settings in their canonical text', () => {
    const { sources, problems } = parseDeclarations(shop, 'shop.yaml');
    expect(problems).toEqual([]);
    expect(sources).toEqual([
      {
        place: 'shop.yaml:3',
        source: {
          sourceId: 'shop',
          type: 'http',
          name: 'Web Shop',
          description: 'Orders\nand visits\n',
          disabled: false,
          settings: { [`${upload}.interval`]: '5s', [`${upload}.size`]: '2KB' },
          sinks: [
            {
              sinkId: 'orders',
              name: 'orders',
              description: '',
              disabled: false,
              tableId: 'in.c-shop.orders',
              allowedSignals: ['logs', 'traces'],
              settings: {},
              columns: [
                { name: 'id', type: 'uuid' },
                { name: 'customer', type: 'path', path: 'customer.name', rawString: true, defaultValue: '' },
                { name: 'total', type: 'path', path: 'total', rawString: false },
                {
                  name: 'line',
                  type: 'template',
                  rawString: false,
                  template: { language: 'jsonnet', content: 'Body("a") +\nBody("b")\n' },
                },
              ],
            },
          ],
        },
      },
    ]);
  });

  it('may have several documents, anchors and JSON', () => {
    const text =
      'sources: { a: { settings: &fast { ingest.batch: auto } } }\n---\nsources: { b: { settings: {} } }\n---\n';
    expect(parseDeclarations(text, 'x').sources.map(({ source }) => source.sourceId)).toEqual(['a', 'b']);
    const merged = 'sources:\n  a: { settings: &fast { ingest.batch: auto } }\n  b: { settings: { <<: *fast } }\n';
    expect(parseDeclarations(merged, 'x').sources[1]?.source.settings).toEqual({ 'ingest.batch': 'auto' });
    expect(parseDeclarations('{"sources":{"1":{}}}', 'x').sources[0]?.source.sourceId).toBe('1');
  });

  it('D9: everything that is wrong with it is said at once, each with line and field', () => {
    expect(
      problemsOf(`sources:
  Web Shop: { sinks: { A: { nam: x } } }
  __proto__:
  shop:
    nam: Shop
    type: kafka
    disabled: yes
    http: { url: x }
    settings:
      no.such.key: 1
      ${upload}.count: 0
      storage.level.local.encoding.compression.type: none
    sinks:
      orders:
        name: 12
        table: orders
        settings: { ingest.batch: auto }
        columns:
          - id
          - { name: a, type: path }
          - { name: b, type: uuid, path: x }
          - { name: c, type: number }
          - { name: d, type: path, path: "a..b" }
          - { name: e, type: template, template: "1 + nope" }
      empty:
        table: in.c-shop.x
        columns: []
      without: { columns: [ID:uuid, id:uuid] }
  telemetry:
    type: otlp
more: 1
`),
    ).toEqual([
      'shop.yaml:2: sources.Web Shop: an id has lower case letters, digits and single dashes, such as "web-shop"',
      'shop.yaml:2: sources.Web Shop.sinks.A: an id has lower case letters, digits and single dashes, such as "a"',
      'shop.yaml:2: sources.Web Shop.sinks.A.table: is missing',
      'shop.yaml:2: sources.Web Shop.sinks.A.columns: is missing',
      'shop.yaml:2: sources.Web Shop.sinks.A.nam: there is no such field; did you mean name?',
      'shop.yaml:3: sources.__proto__: an id has lower case letters, digits and single dashes, such as "proto"',
      'shop.yaml:5: sources.shop.nam: there is no such field; did you mean name?',
      'shop.yaml:6: sources.shop.type: must be http or otlp',
      'shop.yaml:7: sources.shop.disabled: must be true or false',
      'shop.yaml:8: sources.shop.http: URLs and secrets do not belong in a file: each installation makes its own',
      'shop.yaml:10: sources.shop.settings["no.such.key"]: key not found: "no.such.key"',
      `shop.yaml:11: sources.shop.settings["${upload}.count"]: Invalid "${upload}.count" value "0": must be from 1 to 10000000`,
      'shop.yaml:12: sources.shop.settings["storage.level.local.encoding.compression.type"]: Cannot modify protected keys: "storage.level.local.encoding.compression.type"',
      'shop.yaml:15: sources.shop.sinks.orders.name: must be a text: put it in quotes',
      'shop.yaml:16: sources.shop.sinks.orders.table: Invalid "tableId" value "orders": invalid table ID "orders": unexpected number of fragments, must be "stage.bucket.table"',
      'shop.yaml:17: sources.shop.sinks.orders.settings["ingest.batch"]: "ingest.batch" is a setting of the source and cannot be given on a sink',
      'shop.yaml:19: sources.shop.sinks.orders.columns[0]: Column "id": must have a name and a type, such as "id:uuid".',
      'shop.yaml:20: sources.shop.sinks.orders.columns[1].path: is missing',
      'shop.yaml:21: sources.shop.sinks.orders.columns[2].path: does not belong to a column of this type',
      'shop.yaml:22: sources.shop.sinks.orders.columns[3].type: must be uuid or datetime or ip or body or headers or path or template',
      'shop.yaml:23: sources.shop.sinks.orders.columns[4].path: is no path at position 3: a key must not be empty here (write [""] for the key without characters)',
      'shop.yaml:24: sources.shop.sinks.orders.columns[5].template: is no template: 1:5-9 Unknown variable: nope',
      'shop.yaml:27: sources.shop.sinks.empty.columns: must hold at least one column',
      'shop.yaml:28: sources.shop.sinks.without.table: is missing',
      'shop.yaml:28: sources.shop.sinks.without.columns[1]: column "id" is there twice',
      'shop.yaml:31: more: there is no such field; there are sources, configurations',
    ]);
  });

  it.each([
    ['', 'shop.yaml: is empty; it must hold "sources:"'],
    ['# nothing', 'shop.yaml: is empty; it must hold "sources:"'],
    ['- 1', 'shop.yaml:1: the file: must be an object'],
    ['sources:', 'shop.yaml:1: sources: has no value'],
    ['sources: { a: {}, a: {} }', 'shop.yaml:1: Map keys must be unique'],
    ['sources:\n  a: { type: "http', 'shop.yaml:2: '],
    ['sources: { a: !secret {} }', 'shop.yaml:1: Unresolved tag'],
    ['sources: { deleted: {} }', 'shop.yaml:1: sources.deleted: "deleted" is no id'],
    [
      `sources: { a: { sinks: { ${'k'.repeat(41)}: { table: in.c-a.k, columns: [id:uuid] } } } }`,
      `shop.yaml:1: sources.a.sinks.${'k'.repeat(41)}: an id of more than 40 characters is too long for a name`,
    ],
    [
      'sources: { a: { sinks: { k: { table: sys.C-millrace.k, columns: [id:uuid] } } } }',
      'shop.yaml:1: sources.a.sinks.k.table: the bucket is kept for dead letters',
    ],
  ])('D9: %j is refused with a line', (text, problem) => {
    expect(problemsOf(text)[0]?.startsWith(problem) ?? false, problemsOf(text).join('\n')).toBe(true);
  });

  it('takes an id of any length that has a name: it may be there, made of another one', () => {
    expect(problemsOf(`sources: { ${'a'.repeat(60)}: { name: A } }`)).toEqual([]);
  });

  it('D8: a text that unfolds without end, or nests without end, is refused', () => {
    const bomb = `sources:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map(
        (name, index) =>
          `  ${name}: &${name} [${Array(9)
            .fill(`*${'abcdefgh'[index] ?? ''}`)
            .join(',')}]`,
      )
      .join('\n')}`;
    expect(problemsOf(bomb)).toEqual([expect.stringMatching(/^shop.yaml: cannot be read: Excessive alias count/)]);
    expect(problemsOf(`sources: ${'['.repeat(10_000)}`).length).toBeGreaterThan(0);
  });
});

describe('a column that was renamed', () => {
  const file = (columns: readonly object[]): string =>
    JSON.stringify({ sources: { shop: { sinks: { k: { table: 'in.c-shop.t', columns } } } } });
  const column = (name: string, renamedFrom?: string): object => ({ name, type: 'uuid', renamedFrom });

  it('is a column like any other, with the name that it had', () => {
    const { sources } = parseDeclarations(file([column('b', 'a'), column('c')]), 'shop.yaml');
    expect(sources.map(({ source }) => source.sinks[0])).toMatchObject([
      {
        columns: [
          { name: 'b', type: 'uuid' },
          { name: 'c', type: 'uuid' },
        ],
        renamed: [{ from: 'a', to: 'b' }],
      },
    ]);
  });

  it.each([
    ['from its own name', [column('a', 'a')], 'is its own name'],
    ['as another one is', [column('b', 'a'), column('c', 'a')], 'column "c" is renamed from "a", too'],
    ['from one that stays', [column('b', 'a'), column('a')], 'the file still has a column "a"; leave one of them out'],
    ['in a chain', [column('b', 'a'), column('c', 'b')], '"b" is renamed itself; rename one after the other'],
    ['in a swap', [column('b', 'a'), column('a', 'b')], '"a" is renamed itself; rename one after the other'],
  ])('D9: %s is refused with the reason', (_, columns, reason) => {
    expect(problemsOf(file(columns)).join()).toContain(reason);
  });
});
