import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace sink disable` */
export function sinkDisable(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'sink',
    name: 'disable',
    summary: 'Take no more events into a sink; what was accepted before is still delivered',
    doing: 'Disabling the sink',
    run: (client, object) => client.turn(object, 'disable'),
  });
  return withExamples(command, [['sink disable shop orders', 'until it is enabled again']]);
}
