import { describe, expect, it } from 'vitest';
import type { DeclaredSource, SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { makePlan, type Installed } from './make-plan.ts';
import { planText } from './plan-text.ts';

const rest = { description: '', disabled: false, settings: {} };
const orders: SinkDeclaration = {
  ...rest,
  sinkId: 'orders',
  name: 'Orders',
  tableId: 'in.c-shop.orders',
  allowedSignals: [],
  columns: [
    { type: 'uuid', name: 'id' },
    { type: 'path', name: 'total', path: 'total', rawString: false },
  ],
};
const shop: DeclaredSource = { ...rest, sourceId: 'shop', type: 'http', name: 'Shop', sinks: [orders] };
const tables = new Map([['in.c-shop.orders', ['id', 'total']]]);
const nothing: Installed = { sources: [], undeclared: [], tables: new Map() };

function textOf(declared: readonly DeclaredSource[], installed: Installed, prune = false): string {
  return planText(makePlan(declared, installed, { prune, alterTables: false }), { human: false });
}

function changed(sink: Partial<SinkDeclaration>, before: Partial<SourceDeclaration> = {}): string {
  const after = { ...shop, sinks: [{ ...orders, ...sink }] };
  return textOf([after], { sources: [{ ...shop, ...before }], undeclared: [], tables });
}

describe('the text of a plan', () => {
  it('shows what is made with everything that does not go without saying', () => {
    expect(textOf([{ ...shop, settings: { 'ingest.batch': 'auto' } }], nothing)).toBe(`+ source shop
    type                   http
    name                   Shop
    settings.ingest.batch  auto
+ sink shop/orders
    name           Orders
    table          in.c-shop.orders
    columns.id     id:uuid
    columns.total  total:path:total

2 to create`);
  });

  it('A62: a source keeps its partitions, and is made with those of the file', () => {
    const bare = { ...shop, sinks: [] };
    const one = { ...bare, partitions: 1 };
    const installed = (source: SourceDeclaration): Installed => ({ ...nothing, sources: [source] });
    expect(textOf([one], nothing)).toContain(
      '+ source shop\n    type        http\n    name        Shop\n    partitions  1\n',
    );
    expect(textOf([bare], installed({ ...bare, partitions: 2 }))).toBe('1 unchanged');
    expect(textOf([one], installed(one))).toBe('1 unchanged');
    expect(textOf([one], installed({ ...bare, partitions: 2 }))).toContain(`~ source shop
    partitions  2 → 1
    ! a source keeps the partitions that it was made with (2): leave "partitions" out, or make another source`);
  });

  it('shows each field that differs, with the value that is there and the one of the file', () => {
    const text = changed(
      {
        name: '',
        tableId: 'in.c-shop.more',
        allowedSignals: ['logs'],
        columns: [
          { type: 'path', name: 'total', path: 'sum', rawString: true, defaultValue: '' },
          { type: 'ip', name: 'ip' },
        ],
      },
      { type: 'otlp', settings: { 'ingest.batch': 'auto' } },
    );
    expect(text).toBe(`~ source shop
    type                   otlp → http
    settings.ingest.batch  auto → –
    another type has another URL and secret: tell its senders
~ sink shop/orders
    name                        Orders → ""
    table                       in.c-shop.orders → in.c-shop.more
    allowedSignals              [] → [logs]
    columns.total.path          total → sum
    columns.total.rawString     false → true
    columns.total.defaultValue  – → ""
    columns.ip                  – → ip:ip
    columns.id                  id:uuid → –
    the table in.c-shop.orders stays as it is

2 to change`);
  });

  it('shows the order of columns when it differs', () => {
    expect(changed({ columns: orders.columns.toReversed() })).toContain('order of columns  [id, total] → [total, id]');
    const between = [orders.columns[0], { type: 'ip', name: 'ip' } as const, orders.columns[1]];
    const text = changed({ columns: between.filter((column) => column !== undefined) });
    expect(text).toContain('order of columns  [id, total] → [id, ip, total]');
  });

  it('says that a table is not changed with the columns of its sink', () => {
    const columns = [...orders.columns, { type: 'ip', name: 'ip' } as const];
    const obstacle =
      '    ! the table in.c-shop.orders has other columns: "sink update --alter-table" and --alter-tables would ';
    expect(changed({ columns })).toContain(`    columns.ip  – → ip:ip\n${obstacle}`);
    expect(changed({ columns })).toContain('1 to change, 1 unchanged, 1 not possible');
    expect(changed({ columns, tableId: 'in.c-shop.more' })).not.toContain(obstacle);
  });

  it('shows of a long text the lines that differ, and no character that moves the cursor', () => {
    const before = { ...shop, description: 'one\ntwo\nthree\n', sinks: [] };
    const after = { ...before, description: 'one\n2\u001b[2J\nthree\n' };
    expect(textOf([after], { sources: [before], undeclared: [], tables })).toBe(`~ source shop
    description
      - two
      + 2\\u001b[2J

1 to change`);
  });

  it('lists what would be deleted, and without --prune what stays', () => {
    const installed = { sources: [shop], undeclared: [{ sourceId: 'old', sinkIds: ['a'] }], tables };
    const declared = [{ ...shop, sinks: [] }];
    expect(textOf(declared, installed)).toBe(`  source old is in no file and stays; --prune deletes it
  sink old/a is in no file and stays; --prune deletes it
  sink shop/orders is in no file and stays; --prune deletes it

1 unchanged, 3 in no file`);
    expect(textOf(declared, installed, true)).toBe(`- source old
    its senders are refused from then on
- sink old/a
    its table stays
- sink shop/orders
    its table stays

3 to delete, 1 unchanged`);
  });

  it('says what waits until the source is enabled', () => {
    const before = { ...shop, disabled: true };
    const after = { ...before, sinks: [{ ...orders, disabled: true }] };
    expect(textOf([after], { sources: [before], undeclared: [], tables })).toBe(`  sink shop/orders
    will be disabled by an apply after its source is enabled

2 unchanged`);
  });
});
