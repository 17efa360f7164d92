import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { printJson } from '../print.ts';
import { printable } from '../printable.ts';

/** `millrace table rename TABLE NAME` */
export function tableRename(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('rename', 'Give a table another name in its bucket')
    .argument('<table>', 'stage.bucket.table')
    .argument('<name>', 'the last part of its other id, letters, digits, "_" and "-"; or that whole id')
    .addHelpText(
      'after',
      `
A table that a sink fills keeps its name: let the sink fill another one first, by "sink update SOURCE SINK --table", and flush
it. What stands in the way is named.`,
    )
    .action(async (tableId: string, name: string, options: ClientOptions) => {
      const table = await (await connect(context, options)).renameTable(tableId, lastPart(name, tableId));
      if (options.json) printJson(terminal, table);
      else terminal.stdout.write(`Table ${printable(tableId)} is ${printable(table.id)} from now on.\n`);
    });
  return withExamples(command, [['table rename in.c-shop.orders orders_2025', 'in.c-shop.orders_2025 from now on']]);
}

/** Of an id in the same bucket its last part; a name is one already. */
function lastPart(name: string, tableId: string): string {
  const bucket = tableId.slice(0, tableId.lastIndexOf('.') + 1);
  if (bucket !== '' && name.startsWith(bucket)) return name.slice(bucket.length);
  if (!name.includes('.')) return name;
  const rule = `a table stays in its bucket. Give a name without ".", or an id that begins with "${bucket}"`;
  throw new MillraceError('input.invalid', `Invalid <name> value "${printable(name)}": ${rule}.`);
}
