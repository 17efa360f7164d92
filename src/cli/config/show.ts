import type { Command } from 'commander';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';
import { printConfiguration, printJsonText, printRows } from './print-configuration.ts';

interface Options extends ClientOptions {
  readonly only?: boolean;
}

/** `millrace config show COMPONENT CONFIGURATION` */
export function configShow(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('show', 'Show a configuration and its rows; secrets are shown encrypted')
    .option('--only', 'only the configuration itself, as "config update --file" takes it')
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const { configs } = await connect(context, options);
      const name = nameOf(componentId, configurationId, options);
      if (options.only === true) return printJsonText(terminal, await configs.getText(name), 'configuration');
      if (options.json) return printJsonText(terminal, await configs.getText(name));
      const shown = await configs.get(name);
      printConfiguration(terminal, componentId, shown);
      return shown.rows.length > 0 ? printRows(terminal, shown.rows) : undefined;
    });
  return withExamples(command, [
    ['config show generic-extractor shop', 'its state, version and rows'],
    [
      'config show generic-extractor shop --only > shop.json',
      'the configuration, to be changed and given to "config update"',
    ],
  ]);
}
