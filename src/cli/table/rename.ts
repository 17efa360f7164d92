import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { printable } from '../printable.ts';

/** `millrace table rename TABLE NAME` */
export function tableRename(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('rename', 'Give a table another name in its bucket')
    .argument('<table>', 'stage.bucket.table')
    .argument('<name>', 'the last part of its id, letters, digits, "_" and "-"')
    .addHelpText(
      'after',
      `
A table that a sink fills keeps its name: let the sink fill another one first, by "sink update SOURCE SINK --table", and flush
it. What stands in the way is named.`,
    )
    .action(async (tableId: string, name: string, options: ClientOptions) => {
      const table = await (await connect(context, options)).renameTable(tableId, name);
      if (options.json) printJson(terminal, table);
      else terminal.stdout.write(`Table ${printable(tableId)} is ${printable(table.id)} from now on.\n`);
    });
  return withExamples(command, [['table rename in.c-shop.orders orders_2025', 'in.c-shop.orders_2025 from now on']]);
}
