import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace sink undelete SOURCE SINK` */
export function sinkUndelete(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'sink',
    name: 'undelete',
    summary: 'Bring a deleted sink back as it was; it takes events from then on',
    doing: 'Undeleting the sink',
    run: (client, object) => client.undelete(object),
  });
  return withExamples(command, [['sink undelete shop orders', 'same columns, same table']]);
}
