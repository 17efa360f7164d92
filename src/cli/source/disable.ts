import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace source disable` */
export function sourceDisable(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'source',
    name: 'disable',
    summary: 'Refuse the events of a source; what was accepted before is still delivered',
    doing: 'Disabling the source',
    run: (client, object) => client.turn(object, 'disable'),
  });
  return withExamples(command, [['source disable shop', 'until it is enabled again']]);
}
