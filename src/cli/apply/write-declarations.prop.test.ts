import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { signals } from '../../core/event.ts';
import { slug } from '../../core/slug.ts';
import { templateFault } from '../../mapping/jsonnet-templates.ts';
import { parsePath } from '../../mapping/path.ts';
import type { SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { parseDeclarations } from './parse-declarations.ts';
import { declarationsText, writtenDeclarations } from './write-declarations.ts';
import { anyColumn } from '../../../test/support/any-column.ts';

/** Texts that YAML finds hard, beside any. */
const hard = fc.constantFrom(
  'yes',
  '012',
  '~',
  '- a',
  'a: b',
  '#x',
  '"',
  "it's",
  ' lead',
  'trail ',
  'a\nb\n',
  '\n\n',
  'a\r\nb',
  '\ta\n',
  '  x\n y',
  '<<',
  '\u0085\u2028\ufeff',
  'a\u009b2J\u202eb\u2066c\u200bd\u{e0001}',
  '---\n',
);
const anyText = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0'));
const text = fc.oneof(hard, anyText);
const filledText = text.filter((one) => one !== '');
const templateText = fc.oneof(
  fc.constantFrom('1\n', '\n\n1', '  1\n + 2\n', '# x\n1', '"it\'s"', 'local a = 1;\na\n', '"- a"', '-1', '[]', '{}'),
  filledText.map((one) => JSON.stringify(one)).filter((one) => templateFault(one) === undefined),
);
const id = fc
  .oneof(fc.constantFrom('constructor', '12', 'true', 'null'), fc.string({ minLength: 1 }).map(slug))
  .filter((one) => one !== '');

const column = anyColumn({
  name: filledText,
  path: fc.oneof(
    fc.constantFrom('a.b', 'a?=b', 'x:y'),
    filledText.filter((path) => parsePath(path).kind === 'path'),
  ),
  defaultValue: text,
  template: templateText,
});

const settings = fc.dictionary(
  fc.constantFrom('storage.level.staging.upload.trigger.count', 'storage.level.target.import.trigger.count'),
  fc.integer({ min: 1, max: 1000 }),
);

const sorted = <Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[] =>
  items.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

const sink: fc.Arbitrary<SinkDeclaration> = fc.record({
  sinkId: id,
  name: filledText,
  description: text,
  disabled: fc.boolean(),
  tableId: fc.constantFrom('in.c-shop.orders', 'out.x.y'),
  allowedSignals: fc.subarray([...signals]),
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 4, selector: ({ name }) => name.toLowerCase() }),
  settings,
});

const source: fc.Arbitrary<SourceDeclaration> = fc.record({
  sourceId: id,
  type: fc.constant('http' as const),
  name: filledText,
  description: text,
  disabled: fc.boolean(),
  settings,
  sinks: fc
    .uniqueArray(sink, { maxLength: 3, selector: ({ sinkId }) => sinkId })
    .map((sinks) => sorted(sinks, ({ sinkId }) => sinkId)),
});

const branch = fc
  .uniqueArray(source, { maxLength: 3, selector: ({ sourceId }) => sourceId })
  .map((sources) => sorted(sources, ({ sourceId }) => sourceId));

it('what an export writes, as YAML and as JSON, is read back as the same declarations', () => {
  fc.assert(
    fc.property(branch, (sources) => {
      for (const written of [declarationsText({ sources }, 'x'), JSON.stringify(writtenDeclarations({ sources }))]) {
        const { sources: read, problems } = parseDeclarations(written, 'export.yaml');
        expect(problems).toEqual([]);
        expect(
          sorted(
            read.map(({ source }) => source),
            ({ sourceId }) => sourceId,
          ),
        ).toEqual(sources);
      }
    }),
    { numRuns: 300 },
  );
});

it('what an export writes moves no cursor and hides nothing', () => {
  fc.assert(
    fc.property(branch, (sources) => {
      expect(declarationsText({ sources }, 'x')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

it('lines of text are written as a block', () => {
  const columns = [
    {
      name: 'line',
      type: 'template' as const,
      rawString: true,
      template: { language: 'jsonnet' as const, content: 'local a = 1;\na\n' },
    },
  ];
  const rest = { description: '', disabled: false, settings: {} };
  const orders = { ...rest, sinkId: 'orders', name: 'orders', tableId: 'in.c-a.b', allowedSignals: [], columns };
  expect(declarationsText({ sources: [{ ...rest, sourceId: 'a', type: 'http', name: 'a', sinks: [orders] }] }, 'x'))
    .toBe(`# x

sources:
  a:
    type: http
    sinks:
      orders:
        table: in.c-a.b
        columns:
          - name: line
            type: template
            template: |
              local a = 1;
              a
            rawString: true
`);
});
