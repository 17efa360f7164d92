import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace sink enable` */
export function sinkEnable(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'sink',
    name: 'enable',
    summary: 'Let a sink take events from now on; its position stays',
    doing: 'Enabling the sink',
    run: (client, object) => client.turn(object, 'enable'),
  });
  return withExamples(command, [['sink enable shop orders', 'take events again']]);
}
