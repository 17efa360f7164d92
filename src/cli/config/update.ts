import type { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { requireChange } from '../require-change.ts';
import { configurationCommand, nameOf, typedFields, withChange } from './configuration-command.ts';
import { printConfiguration } from './print-configuration.ts';
import { readObject } from './read-object.ts';

interface Options extends ClientOptions {
  readonly name?: string;
  readonly description?: string;
  readonly file?: string;
  readonly state?: string;
  readonly note?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
  readonly order?: string;
}

/** `millrace config update COMPONENT CONFIGURATION` */
export function configUpdate(context: CommandContext): Command {
  const { terminal } = context;
  const command = withChange(
    configurationCommand('update', 'Change a configuration; what is not given stays').option(
      '--name <name>',
      'another name; the id stays',
    ),
  )
    .option('--order <rows>', 'the ids of all its rows in another order, separated by commas')
    .option('--disable', 'jobs do not run it')
    .option('--enable', 'jobs run it again')
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const { name, description, file, state, order, disable, enable, note: changeDescription } = options;
      requireChange({ name, description, file, state, order, disable, enable });
      const [configuration, stateText] = [await readObject(terminal, file), await readObject(terminal, state)];
      const isDisabled = disable === true ? true : enable === true ? false : undefined;
      const rowsSortOrder = order?.split(',').map((id) => id.trim());
      const change = {
        name,
        description,
        configuration,
        state: stateText,
        isDisabled,
        changeDescription,
        rowsSortOrder,
      };
      const { configs } = await connect(context, options);
      const place = nameOf(componentId, configurationId, options);
      const after = await asTypedFields(typedFields, configs.update(place, change));
      if (options.json) printJson(terminal, after);
      else printConfiguration(terminal, componentId, after);
    });
  return withExamples(command, [
    [
      'config update generic-extractor shop --file shop.json --note "page by 100"',
      'a new version with this configuration',
    ],
    ['config update generic-extractor shop --disable', 'jobs do not run it until --enable'],
  ]);
}
