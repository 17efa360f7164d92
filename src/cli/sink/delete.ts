import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';
import { adviceOnTables } from '../paste/next-step.ts';

/** `millrace sink delete SOURCE SINK` */
export function sinkDelete(context: CommandContext): Command {
  const command = objectCommand(context, {
    kind: 'sink',
    name: 'delete',
    summary: 'Delete a sink; its table stays, and what was accepted before is still delivered',
    doing: 'Deleting the sink',
    run: (client, sink) => client.remove(sink),
    advice: adviceOnTables,
  });
  return withExamples(command, [['sink delete shop orders', 'the table keeps its rows']]);
}
