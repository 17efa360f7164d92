import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printSource } from './print-source.ts';

/** `millrace source show SOURCE` */
export function sourceShow(context: CommandContext): Command {
  const command = clientCommand('show', 'Show one source')
    .argument('<source>', 'id of the source')
    .action(async (sourceId: string, options: ClientOptions) => {
      const client = await connect(context, options);
      printSource(context.terminal, await client.getSource({ branch: options.branch, sourceId }), options.json);
    });
  return withExamples(command, [['source show shop', 'its URL, state and version']]);
}
