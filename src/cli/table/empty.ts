import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { removeCommand } from './remove-table.ts';

/** `millrace table empty TABLE` */
export function tableEmpty(context: CommandContext): Command {
  const summary = 'Delete all rows of a table; it names what depends on it, and asks';
  const command = removeCommand(context, { name: 'empty', summary, what: 'rows', done: 'emptied' }).addHelpText(
    'after',
    '\nRows that sinks have not delivered yet come into the table later. What a sink has counted stays counted.',
  );
  return withExamples(command, [
    ['table empty in.c-shop.trial --force', 'begin anew after a trial, while its sink goes on'],
    ['table empty sys.c-millrace.dead_letters --force --yes', 'forget all dead letters'],
  ]);
}
