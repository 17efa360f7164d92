import type { Command } from 'commander';
import { deadLetterTable } from '../../core/table-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { agree } from '../agree.ts';
import type { TableRemoval } from '../client.ts';
import { clientCommand, connect, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printable } from '../printable.ts';
import { printJson, say } from '../print.ts';
import { dependentLines, isInUse, rowsText } from './dependents-text.ts';

interface Options extends ClientOptions {
  readonly force: boolean;
  readonly yes: boolean;
}

export interface RemoveCommand {
  readonly name: string;
  readonly summary: string;
  readonly what: TableRemoval['what'];
  readonly done: 'deleted' | 'emptied';
}

/** A command that takes rows away: it says what depends on the table, and asks. */
export function removeCommand(context: CommandContext, { name, summary, what, done }: RemoveCommand): Command {
  const { terminal } = context;
  return clientCommand(name, summary)
    .argument('<table>', 'stage.bucket.table')
    .option('--force', 'also when sinks fill the table or rows wait for it', false)
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .action(async (tableId: string, { force, yes, ...options }: Options) => {
      const client = await connect(context, options);
      const { rowsCount } = await client.getTable(tableId);
      const dependents = await client.listDependents(tableId);
      const [shown, lines] = [printable(tableId), dependentLines(dependents)];
      if (!force && (isInUse(dependents) || tableId === deadLetterTable)) {
        const all = tableId === deadLetterTable ? ['  every sink puts its dead letters into it'] : lines;
        const text = [`The table ${shown} is not ${done}, because of what depends on it:`, ...all];
        throw new MillraceError('client.refused', `${text.join('\n')}\n--force does it all the same.`);
      }
      say(terminal, [`The table ${shown} has ${rowsText(rowsCount)}.`, ...lines].join('\n'));
      const question = what === 'rows' ? 'Delete them all?' : 'Delete it with them?';
      await agree(context, { yes, question, otherwise: `The table was not ${done}` });
      await client.removeTable(tableId, { what, force });
      if (options.json) printJson(terminal, { id: tableId, [what === 'rows' ? 'isEmptied' : 'isDeleted']: true });
      else terminal.stdout.write(`Table ${shown} has been ${done}.\n`);
    });
}
