import type { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseVersionNumber } from '../history/version-number.ts';
import { printJson } from '../print.ts';
import { configurationCommand, nameOf, typedFields } from './configuration-command.ts';
import { printConfiguration } from './print-configuration.ts';

interface Options extends ClientOptions {
  readonly id?: string;
  readonly name?: string;
  readonly of?: number;
  readonly note?: string;
}

/** `millrace config copy COMPONENT CONFIGURATION` */
export function configCopy(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('copy', 'Make another configuration that is like this one, with its rows')
    .option('--id <id>', 'id of the copy (default: a number)')
    .option('--name <name>', 'name of the copy')
    .option('--of <version>', 'like this version of it (default: the present one)', parseVersionNumber)
    .option('--note <text>', 'what is said of its first version')
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const { id, name, note: changeDescription } = options;
      const { configs } = await connect(context, options);
      const original = nameOf(componentId, configurationId, options);
      const number = options.of ?? (await configs.get(original)).version;
      const wanted = { configurationId: id, name, changeDescription };
      const copy = await asTypedFields(typedFields, configs.copy(original, number, wanted));
      const made = await configs.get({ ...original, configurationId: copy });
      if (options.json) printJson(terminal, made);
      else printConfiguration(terminal, componentId, made);
    });
  return withExamples(command, [
    ['config copy generic-extractor shop --id shop-test --name "Shop, test"', 'to try a change on'],
    ['config copy generic-extractor shop --of 2', 'like version 2'],
  ]);
}
