import type { Command } from 'commander';
import { withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

interface Options extends ClientOptions {
  readonly cascade: boolean;
}

/** `millrace source delete SOURCE` */
export function sourceDelete(context: CommandContext): Command {
  const command = objectCommand<Options>(context, {
    kind: 'source',
    name: 'delete',
    summary: 'Delete a source and its sinks; the tables stay',
    doing: 'Deleting the source',
    run: (client, source, { cascade }) => client.remove(source, { cascade }),
  }).option('--cascade', 'also drop the tables of its sinks, for good', false);
  return withExamples(command, [['source delete shop', 'its tables stay, and it can be undeleted through the API']]);
}
