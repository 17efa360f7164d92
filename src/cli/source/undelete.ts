import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';

/** `millrace source undelete SOURCE` */
export function sourceUndelete(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'source',
    name: 'undelete',
    summary: 'Bring a deleted source back as it was, with the sinks that were deleted with it',
    doing: 'Undeleting the source',
    run: (client, object) => client.undelete(object),
  });
  return withExamples(command, [['source undelete shop', 'same URL; it takes events from then on']]);
}
