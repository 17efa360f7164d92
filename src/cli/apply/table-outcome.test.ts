import { describe, expect, it } from 'vitest';
import type { DeclaredSource, SinkDeclaration } from './declaration.ts';
import { makePlan, type Installed } from './make-plan.ts';
import { obstaclesOf, planText } from './plan-text.ts';
import type { TableUser } from './table-outcome.ts';

const rest = { description: '', disabled: false, settings: {} };
const tableId = 'in.c-shop.t';
const columnsOf = (names: string): SinkDeclaration['columns'] =>
  names.split(' ').map((name) => ({ type: 'uuid', name }));
const sink = (sinkId: string, names: string): SinkDeclaration => ({
  ...rest,
  sinkId,
  name: sinkId,
  tableId,
  allowedSignals: [],
  columns: columnsOf(names),
});
const shop = (...sinks: readonly SinkDeclaration[]): DeclaredSource => ({
  ...rest,
  sourceId: 'shop',
  type: 'http',
  name: 'shop',
  sinks,
});
const user = (sinkId: string, names: string): TableUser => ({
  object: { sourceId: 'shop', sinkId },
  columns: names.split(' '),
});

interface Given {
  readonly files: readonly SinkDeclaration[];
  readonly there: readonly SinkDeclaration[];
  readonly users?: readonly TableUser[];
  readonly alterTables?: boolean;
}

function planOf({ files, there, users = there.map((one) => user(one.sinkId, 'a b')), alterTables = true }: Given) {
  const tables = new Map([[tableId, ['a', 'b']]]);
  const installed: Installed = {
    sources: [shop(...there)],
    undeclared: [],
    tables,
    users: new Map([[tableId, users]]),
  };
  return makePlan([shop(...files)], installed, { prune: false, alterTables });
}

const was = sink('k', 'a b');
const renamed = { ...sink('k', 'a z c'), renamed: [{ from: 'b', to: 'z' }] };

describe('what a plan says of a table that is to change', () => {
  it('A49: a column with "renamedFrom" keeps its cells; done once, it is nothing to do', () => {
    const plan = planOf({ files: [renamed], there: [was] });
    expect(planText(plan, { human: false })).toBe(`~ sink shop/k
    columns.z.name  b → z
    columns.c       – → c:uuid
    table in.c-shop.t: rename column "b" to "z"
    table in.c-shop.t: add column "c", empty in the rows that are there

1 to change, 1 unchanged`);
    expect(plan.steps).toMatchObject([{ fields: { alter: true, renamed: [{ from: 'b', to: 'z' }] } }]);
    const after = { ...renamed, renamed: [] };
    const tables = new Map([[tableId, ['a', 'z', 'c']]]);
    const installed = { sources: [shop(after)], undeclared: [], tables };
    expect(makePlan([shop(renamed)], installed, { prune: false, alterTables: true }).steps).toEqual([]);
  });

  it('without --alter-tables it says what that would do', () => {
    const plan = planOf({ files: [renamed], there: [was], alterTables: false });
    expect(obstaclesOf(plan)).toEqual([
      'sink shop/k: the table in.c-shop.t has other columns: "sink update --alter-table" and --alter-tables would rename column "b" to "z", add column "c", empty in the rows that are there; or let the sink fill another table',
    ]);
  });

  it('D9: a column that is renamed from one that there is not is said', () => {
    const plan = planOf({ files: [{ ...renamed, renamed: [{ from: 'nope', to: 'z' }] }], there: [was] });
    expect(obstaclesOf(plan)[0]).toContain('there is no column "nope" to be renamed to "z"');
    expect(plan.steps).toEqual([]);
  });

  it.each<{ readonly which: string; readonly user: TableUser; readonly reason: string }>([
    {
      which: 'of no file',
      user: user('other', 'a b'),
      reason: 'sink shop/other fills it with the columns that it has',
    },
    {
      which: 'of another branch',
      user: { ...user('k', 'a b'), branchId: 2 },
      reason: 'sink 2/shop/k fills it with the columns that it has',
    },
    {
      which: 'whose rows wait',
      user: { object: { sourceId: 'shop', sinkId: 'left' } },
      reason: 'what sink shop/left has accepted for it is not in it yet: flush that sink first',
    },
  ])('A49: a sink $which that needs the columns is named before anything is done', ({ user: other, reason }) => {
    const plan = planOf({ files: [renamed], there: [was], users: [user('k', 'a b'), other] });
    expect(obstaclesOf(plan)).toEqual([
      `sink shop/k: the table in.c-shop.t keeps its columns, and does not rename column "b" to "z", add column "c", empty in the rows that are there: ${reason}`,
    ]);
    expect(plan.steps).toEqual([]);
  });

  it('A49: a sink that the files put to the table with other columns is named, too', () => {
    const plan = planOf({ files: [renamed, sink('new', 'a b')], there: [was] });
    expect(obstaclesOf(plan)).toEqual([
      expect.stringContaining('sink shop/new of the files is to fill it with other columns'),
    ]);
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['createSink']);
  });
});
