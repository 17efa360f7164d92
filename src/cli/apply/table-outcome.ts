import { isDeepStrictEqual } from 'node:util';
import {
  areSameColumns,
  columnChangeText,
  isNoChange,
  planColumns,
  type ColumnChange,
  type ColumnRename,
} from '../../core/column-change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { SourceRef, SinkDeclaration } from './declaration.ts';

/** Who else needs a table with the columns that it has: a sink, or rows of one that wait. */
export interface TableUser {
  readonly object: SourceRef;
  /** In a branch that is not the one of the files. */
  readonly branchId?: number;
  /** Of a sink that fills it; absent: what it has accepted is not in the table yet. */
  readonly columns?: readonly string[];
  /** The files are to make it so; absent: it is so already. */
  readonly isDeclared?: true;
}

export interface TableGround {
  /** Tables get the columns of sinks that change. */
  readonly alterTables: boolean;
  /** The columns of each table that is there. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Of the tables that may change. */
  readonly users: ReadonlyMap<string, readonly TableUser[]>;
}

/** What becomes of the table that a sink is to fill. */
export interface TableOutcome {
  readonly remarks: readonly string[];
  readonly alter?: { readonly renamed: readonly ColumnRename[] };
  /** Why the sink cannot fill it. */
  readonly obstacle?: string;
}

/** What becomes of the table of a sink, and who is in the way: said before anything is done. */
export function tableOutcome(sink: SinkDeclaration, object: SourceRef, ground: TableGround): TableOutcome {
  const { tableId, renamed = [] } = sink;
  const [before, after] = [ground.tables.get(tableId), sink.columns.map(({ name }) => name)];
  if (before === undefined || areSameColumns(before, after)) return { remarks: [] };
  const plan = possible(() => planColumns({ tableId: tableId as TableId, before, after, renamed }));
  if ('obstacle' in plan) return { remarks: [], ...plan };
  if (isNoChange(plan)) return { remarks: [] };
  const texts = columnChangeText(plan);
  const inTheWay = usersInTheWay(ground.users.get(tableId) ?? [], { object, after });
  const reason = inTheWay.length === 0 ? undefined : inTheWay.join('; ');
  if (ground.alterTables && reason === undefined)
    return { remarks: texts.map((text) => `table ${tableId}: ${text}`), alter: { renamed: plan.renamed } };
  if (ground.alterTables)
    return {
      remarks: [],
      obstacle: `the table ${tableId} keeps its columns, and does not ${texts.join(', ')}: ${reason}`,
    };
  const wanted = `"sink update --alter-table" and --alter-tables would ${texts.join(', ')}`;
  const but = reason === undefined ? '' : `, but not now: ${reason}`;
  return {
    remarks: [],
    obstacle: `the table ${tableId} has other columns: ${wanted}${but}; or let the sink fill another table`,
  };
}

function usersInTheWay(
  users: readonly TableUser[],
  { object, after }: { readonly object: SourceRef; readonly after: readonly string[] },
): readonly string[] {
  return users
    .filter((one) => one.branchId !== undefined || !isDeepStrictEqual(refOf(one.object), refOf(object)))
    .filter(({ columns }) => columns === undefined || !areSameColumns(columns, after))
    .map(({ object: { sourceId, sinkId = '' }, branchId, columns, isDeclared }) => {
      const name = `sink ${branchId === undefined ? '' : `${branchId}/`}${sourceId}/${sinkId}`;
      if (isDeclared === true) return `${name} of the files is to fill it with other columns`;
      if (columns !== undefined) return `${name} fills it with the columns that it has`;
      return `what ${name} has accepted for it is not in it yet: flush that sink first`;
    });
}

function refOf({ sourceId, sinkId }: SourceRef): SourceRef {
  return { sourceId, ...(sinkId === undefined ? {} : { sinkId }) };
}

function possible(work: () => ColumnChange): ColumnChange | { readonly obstacle: string } {
  try {
    return work();
  } catch (thrown) {
    return { obstacle: MillraceError.fromUnknown(thrown).message };
  }
}
