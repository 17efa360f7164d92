import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';

/** `millrace table list` */
export function tableList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the tables').action(async (options: ClientOptions) => {
    const tables = await (await connect(context, options)).listTables();
    if (options.json) return printJson(context.terminal, tables);
    return printTable(context.terminal, {
      head: ['table', 'rows', 'columns'],
      rows: tables.map(({ id, rowsCount, columns }) => [id, rowsCount ?? '', (columns ?? []).join(', ')]),
      cut: 'columns',
      empty: 'There are no tables yet. A sink makes one: millrace sink create SOURCE NAME --table in.c-BUCKET.TABLE',
    });
  });
  return withExamples(command, [['table list', 'every table with its number of rows']]);
}
