import type { Command } from 'commander';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';
import { printConfiguration } from './print-configuration.ts';

/** `millrace config restore COMPONENT CONFIGURATION` */
export function configRestore(context: CommandContext): Command {
  const command = configurationCommand('restore', 'Bring a deleted configuration back as it was, with its rows').action(
    async (componentId: string, configurationId: string, options: ClientOptions) => {
      const { configs } = await connect(context, options);
      const restored = await configs.restore(nameOf(componentId, configurationId, options));
      if (options.json) printJson(context.terminal, restored);
      else printConfiguration(context.terminal, componentId, restored);
    },
  );
  return withExamples(command, [['config restore generic-extractor shop', 'the same id, a new version']]);
}
