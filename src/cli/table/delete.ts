import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { removeCommand } from './remove-table.ts';

/** `millrace table delete TABLE` */
export function tableDelete(context: CommandContext): Command {
  const summary = 'Delete a table with its rows; it names what depends on it, and asks';
  const command = removeCommand(context, { name: 'delete', summary, what: 'table', done: 'deleted' }).addHelpText(
    'after',
    `
A table that a sink fills is deleted with --force only. What the sink has for it waits then, with an alarm, until there is a
table again: "sink update SOURCE SINK --alter-table" makes it.`,
  );
  return withExamples(command, [
    ['table delete in.c-shop.old', 'show what depends on it, and ask'],
    ['table delete in.c-shop.old --yes', 'the same in a script'],
  ]);
}
