import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace source delete SOURCE` */
export function sourceDelete(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'source',
    name: 'delete',
    summary: 'Delete a source and its sinks; what was accepted is still delivered, and the tables stay',
    doing: 'Deleting the source',
    run: (client, source) => client.remove(source),
  });
  return withExamples(command, [['source delete shop', 'the tables of its sinks stay']]);
}
