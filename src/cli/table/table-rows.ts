import type { AdminClient } from '../client.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { splitLines } from '../send/split-lines.ts';

/** Cells by the names of their columns, each whole. */
export type TableRow = Readonly<Record<string, string>>;

/** Every row of a table as it comes, one after another: the whole table is read, and little of it held. */
export async function* tableRows(client: AdminClient, tableId: string): AsyncGenerator<TableRow, void> {
  const content = await client.exportTable(tableId, 'ndjson');
  for await (const { body } of splitLines(tableId, content)) {
    const row = parseJsonText(new TextDecoder().decode(body));
    if (typeof row !== 'object' || row === null)
      throw new MillraceError('client.unreachable', `What answers for the table ${tableId} is no row.`);
    yield row as TableRow;
  }
}
