import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace source enable` */
export function sourceEnable(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'source',
    name: 'enable',
    summary: 'Let a source take events again, and with it the sinks that were disabled with it',
    doing: 'Enabling the source',
    run: (client, object) => client.turn(object, 'enable'),
  });
  return withExamples(command, [['source enable shop', 'take events again']]);
}
