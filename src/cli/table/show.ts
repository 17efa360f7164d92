import { InvalidArgumentError, type Command } from 'commander';
import type { PreviewShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say } from '../print.ts';
import { previewTable } from './preview-table.ts';

interface Options extends ClientOptions {
  readonly limit: number;
  readonly select?: string;
  readonly tail: boolean;
  readonly where: ReadonlyMap<string, string>;
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
    .option('--where <condition>', 'only rows with this cell, "column=value"; may be given again', condition, new Map())
    .addHelpText(
      'after',
      `
Rows stand in the order in which they were loaded, with --tail, too. --where compares whole cells, byte for byte, and looks at
every row when few have them; what takes longer than 30 seconds is ended. "millrace table export" has no such limit.`,
    )
    .action(async (tableId: string, options: Options) => {
      const client = await connect(context, options);
      const [table, preview] = await Promise.all([client.getTable(tableId), client.previewTable(tableId, options)]);
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

/** One condition an option, so that what follows it is still the table. */
function condition(text: string, before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = text.indexOf('=');
  const [column, value] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1) throw new InvalidArgumentError('It must be COLUMN=VALUE.');
  if (before.has(column)) throw new InvalidArgumentError(`The column "${column}" has a condition already.`);
  return new Map([...before, [column, value]]);
}

function rowObject(row: PreviewShape['rows'][number]): Readonly<Record<string, string>> {
  return Object.fromEntries(row.map(({ columnName, value }) => [columnName, value]));
}
