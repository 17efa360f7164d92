import { columnChangeText, isNoChange, planColumns, type ColumnRename } from '../../core/column-change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseTableId } from '../../core/table-id.ts';
import { agree } from '../agree.ts';
import type { ColumnShape } from '../api-shapes.ts';
import type { AdminClient } from '../client.ts';
import type { CommandContext } from '../command-context.ts';
import type { SinkName } from '../object-name.ts';
import { printable } from '../printable.ts';
import { say } from '../print.ts';
import { rowsText } from '../table/dependents-text.ts';

/** `old=new`, each once; `input.invalid` names what is none, and that they need `--alter-table`. */
export function parseRenames(given: readonly string[], alter: boolean): readonly ColumnRename[] {
  if (given.length > 0 && !alter)
    throw new MillraceError(
      'input.invalid',
      '--rename-column needs --alter-table: it changes the columns of the table.',
    );
  return given.map((text) => {
    const at = text.indexOf('=');
    const [from, to] = [text.slice(0, at), text.slice(at + 1)];
    if (at > 0 && to !== '') return { from, to };
    throw new MillraceError(
      'input.invalid',
      `Invalid --rename-column value "${text}": expected old=new, such as total=amount.`,
    );
  });
}

interface Proposed {
  readonly client: AdminClient;
  readonly sink: SinkName;
  readonly change: { readonly table: string | undefined; readonly columns: readonly ColumnShape[] | undefined };
  readonly renamed: readonly ColumnRename[];
  readonly yes: boolean;
}

/** Says what becomes of the table; returns when that is to be done. Nobody is asked where no cell goes. */
export async function agreeToAlter(
  context: CommandContext,
  { client, sink, change, renamed, yes }: Proposed,
): Promise<void> {
  const { table } = await client.getSink(sink);
  const tableId = parseTableId(change.table ?? table.tableId);
  const after = (change.columns ?? table.mapping.columns).map(({ name }) => name);
  const found = (await client.listTables()).find(({ id }) => id === tableId);
  if (found === undefined) return say(context.terminal, `The table ${printable(tableId)} is made with these columns.`);
  const plan = planColumns({ tableId, before: found.columns, after, renamed });
  if (isNoChange(plan)) return;
  const lines = columnChangeText(plan).map((line) => `  ${printable(line)}`);
  say(context.terminal, [`In the table ${printable(tableId)} with ${rowsText(found.rowsCount)}:`, ...lines].join('\n'));
  if (plan.dropped.length > 0 && found.rowsCount > 0)
    await agree(context, { yes, question: 'Change the table so?', otherwise: 'Nothing was changed' });
}
