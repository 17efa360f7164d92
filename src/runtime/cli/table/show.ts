import type { Command } from 'commander';
import type { PreviewShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say, type TableText } from '../print.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { fitWidths } from './fit-widths.ts';

interface Options extends ClientOptions {
  readonly limit: number;
}

const mostRows = 1000;
/** Borders and blanks beside a cell. */
const besideCell = 3;
/** In a pipe nothing but this bounds a cell. */
const widestCell = 500;

/** `millrace table show TABLE` */
export function tableShow(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('show', 'Show the first rows of a table')
    .argument('<table>', 'stage.bucket.table')
    .option('--limit <rows>', 'how many rows', parseCount('--limit', mostRows), 20)
    .action(async (tableId: string, options: Options) => {
      const client = await connect(context, options);
      const [table, preview] = await Promise.all([
        client.getTable(tableId),
        client.previewTable(tableId, options.limit),
      ]);
      if (options.json) return printJson(terminal, { ...table, rows: preview.rows.map(rowObject) });
      printTable(terminal, previewTable(preview, terminal));
      if (terminal.human && preview.rows.length > 0)
        say(terminal, `${preview.rows.length} of ${table.rowsCount ?? 'an unknown number of'} rows`);
    });
  return withExamples(command, [
    ['table show in.c-shop.orders --limit 5', 'five rows, long cells cut to the width of the terminal'],
    ['table show in.c-shop.orders --json', 'the same as JSON, cells up to 16 384 characters'],
  ]);
}

/** Cells as long as they fit: all of the terminal for a person, nearly everything for a pipe. */
function previewTable({ columns, rows }: PreviewShape, terminal: Terminal): TableText {
  const texts = rows.map((row) => row.map(({ value }) => printable(value, widestCell)));
  const needed = columns.map((name, column) =>
    Math.max(...[name, ...texts.map((row) => row[column] ?? '')].map(length)),
  );
  const room = terminal.columns - besideCell * columns.length - 1;
  const widths = terminal.human ? fitWidths(needed, room) : needed;
  const fit = (text: string, column: number): string => printable(text, widths[column]);
  return { head: columns.map(fit), rows: texts.map((row) => row.map(fit)), empty: 'The table has no rows yet.' };
}

function length(text: string): number {
  return Array.from(text).length;
}

function rowObject(row: PreviewShape['rows'][number]): Readonly<Record<string, string>> {
  return Object.fromEntries(row.map(({ columnName, value }) => [columnName, value]));
}
