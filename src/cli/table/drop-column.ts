import type { Command } from 'commander';
import { agree } from '../agree.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, say } from '../print.ts';
import { printable } from '../printable.ts';
import { rowsText } from './dependents-text.ts';

interface Options extends ClientOptions {
  readonly yes: boolean;
}

/** `millrace table drop-column TABLE COLUMN` */
export function tableDropColumn(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('drop-column', 'Drop a column of a table with all its cells; it asks')
    .argument('<table>', 'stage.bucket.table')
    .argument('<column>', 'its name')
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .action(async (tableId: string, column: string, { yes, ...options }: Options) => {
      const client = await connect(context, options);
      const { rowsCount, columns } = await client.getTable(tableId);
      const [shown, name] = [printable(tableId), printable(column)];
      // What is not there is refused by the API, with the name that was probably meant.
      if (columns.includes(column)) {
        say(terminal, `The table ${shown} has ${rowsText(rowsCount)}.`);
        const question = `Drop the column ${name} with its cells?`;
        await agree(context, { yes, question, otherwise: 'The column was not dropped' });
      }
      await client.dropColumn(tableId, column);
      if (options.json) printJson(terminal, { id: tableId, column, isDropped: true });
      else terminal.stdout.write(`Column ${name} of the table ${shown} has been dropped.\n`);
    });
  return withExamples(command, [['table drop-column in.c-crm.customers fax --yes', 'in a script']]);
}
