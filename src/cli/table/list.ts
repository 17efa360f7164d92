import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { noTables } from '../paste/next-step.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { printJson, printTable } from '../print.ts';

/** `millrace table list` */
export function tableList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the tables').action(async (options: ClientOptions) => {
    const client = await connect(context, options);
    const tables = await client.listTables();
    if (options.json) return printJson(context.terminal, tables);
    const lines = new PasteLines(pastePlace(context, options));
    const empty = tables.length > 0 ? '' : await noTables(client, options, lines);
    return printTable(context.terminal, {
      head: ['table', 'rows', 'columns'],
      rows: tables.map(({ id, rowsCount, columns }) => [id, rowsCount ?? '', (columns ?? []).join(', ')]),
      cut: 'columns',
      empty,
    });
  });
  return withExamples(command, [['table list', 'every table with its number of rows']]);
}
