import type { Command } from 'commander';
import type { PreviewShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say } from '../print.ts';
import { findRows } from './find-rows.ts';
import { previewTable } from './preview-table.ts';

interface Options extends ClientOptions {
  readonly limit: number;
  readonly select?: string;
  readonly tail: boolean;
  readonly where: readonly string[];
}

const mostRows = 1000;

/** `millrace table show TABLE` */
export function tableShow(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('show', 'Show the first rows of a table')
    .argument('<table>', 'stage.bucket.table')
    .option('--limit <rows>', 'how many rows', parseCount('--limit', mostRows), 20)
    .option('--select <columns>', 'only these columns, separated by commas')
    .option('--tail', 'the last rows instead of the first', false)
    .option('--where <condition>', 'only rows with this cell, "column=value"; may be given again', collect, [])
    .addHelpText('after', '\n--tail and --where read the whole table: they take a while when it has millions of rows.')
    .action(async (tableId: string, options: Options) => {
      const client = await connect(context, options);
      const shown = options.tail || options.where.length > 0 ? findRows(client, tableId, options) : undefined;
      const [table, preview] = await Promise.all([
        client.getTable(tableId),
        shown ?? client.previewTable(tableId, options),
      ]);
      if (options.json) return printJson(terminal, { ...table, rows: preview.rows.map(rowObject) });
      printTable(terminal, previewTable(preview, terminal.human ? terminal.columns : undefined));
      if (terminal.human && preview.rows.length > 0)
        say(terminal, `${preview.rows.length} of ${table.rowsCount ?? 'an unknown number of'} rows`);
    });
  return withExamples(command, [
    ['table show in.c-shop.orders --limit 5', 'five rows, long cells cut to the width of the terminal'],
    ['table show in.c-shop.orders --tail --where "customer=Ada"', 'the last rows of one customer'],
    ['table show in.c-shop.orders --json', 'the same as JSON, cells up to 16 384 characters'],
    [
      'table show sys.c-millrace.dead_letters --select sink,reason,column,message',
      'events that a mapping refused, and why',
    ],
  ]);
}

/** One value an option, so that what follows it is still the table. */
function collect(condition: string, before: readonly string[]): readonly string[] {
  return [...before, condition];
}

function rowObject(row: PreviewShape['rows'][number]): Readonly<Record<string, string>> {
  return Object.fromEntries(row.map(({ columnName, value }) => [columnName, value]));
}
