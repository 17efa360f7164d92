import type { Command } from 'commander';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseVersionNumber } from '../history/version-number.ts';
import { printJson } from '../print.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';

interface Options extends ClientOptions {
  readonly note?: string;
}

/** `millrace config rollback COMPONENT CONFIGURATION VERSION` */
export function configRollback(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('rollback', 'Make a configuration and its rows what a version was; states stay')
    .argument('<version>', 'its number, as "config versions" lists it', parseVersionNumber)
    .option('--note <text>', 'what is said of the new version')
    .action(async (componentId: string, configurationId: string, ...[number, options]: [number, Options]) => {
      const { configs } = await connect(context, options);
      const version = await configs.rollback(nameOf(componentId, configurationId, options), number, options.note);
      if (options.json) printJson(terminal, { version });
      else terminal.stdout.write(`Version ${version} of ${configurationId} is like version ${number}.\n`);
    });
  return withExamples(command, [['config rollback generic-extractor shop 2', 'a new version, like version 2']]);
}
