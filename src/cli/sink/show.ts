import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printSink } from './print-sink.ts';

/** `millrace sink show SOURCE SINK` */
export function sinkShow(context: CommandContext): Command {
  const command = clientCommand('show', 'Show one sink')
    .argument('<source>', 'id of the source')
    .argument('<sink>', 'id of the sink')
    .action(async (sourceId: string, sinkId: string, options: ClientOptions) => {
      const client = await connect(context, options);
      printSink(context.terminal, await client.getSink({ branch: options.branch, sourceId, sinkId }), options.json);
    });
  return withExamples(command, [['sink show shop orders', 'its table, columns and state']]);
}
