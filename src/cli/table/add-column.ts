import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { printable } from '../printable.ts';

/** `millrace table add-column TABLE COLUMN` */
export function tableAddColumn(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('add-column', 'Add a column of text at the end of a table, empty in its rows')
    .argument('<table>', 'stage.bucket.table')
    .argument('<column>', 'its name, at most 64 characters')
    .addHelpText(
      'after',
      `
A table that a sink fills has exactly the columns of the sink: "sink update SOURCE SINK --column … --alter-table" changes both.`,
    )
    .action(async (tableId: string, column: string, options: ClientOptions) => {
      const table = await (await connect(context, options)).addColumn(tableId, column);
      if (options.json) return printJson(terminal, table);
      const names = table.columns.map((name) => printable(name)).join(', ');
      terminal.stdout.write(`Table ${printable(table.id)} has ${table.columns.length} columns: ${names}.\n`);
    });
  return withExamples(command, [['table add-column in.c-crm.customers country', 'empty in the rows that are there']]);
}
