import type { Command } from 'commander';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { typedFields, withChange } from './configuration-command.ts';
import { printConfiguration } from './print-configuration.ts';
import { readObject } from './read-object.ts';

interface Options extends ClientOptions {
  readonly id?: string;
  readonly description?: string;
  readonly file?: string;
  readonly state?: string;
  readonly note?: string;
  readonly disabled?: boolean;
}

/** `millrace config create COMPONENT NAME` */
export function configCreate(context: CommandContext): Command {
  const { terminal } = context;
  const command = withChange(
    clientCommand('create', 'Store a configuration of a component')
      .argument('<component>', 'id of the component: generic-extractor, variables or shared-code')
      .argument('<name>', 'what people call it')
      .option('--id <id>', 'id of the configuration (default: a number)'),
  )
    .option('--disabled', 'jobs do not run it')
    .action(async (componentId: string, name: string, options: Options) => {
      const { branch, id: configurationId, description, note: changeDescription, disabled: isDisabled } = options;
      const [configuration, state] = [
        await readObject(terminal, options.file),
        await readObject(terminal, options.state),
      ];
      const { configs } = await connect(context, options);
      const body = { name, configurationId, description, configuration, state, changeDescription, isDisabled };
      const made = await asTypedFields(
        { ...typedFields, name: 'the name' },
        configs.create({ branch, componentId }, body),
      );
      if (options.json) printJson(terminal, made);
      else printConfiguration(terminal, componentId, made);
    });
  return withExamples(command, [
    ['config create generic-extractor Shop --id shop --file shop.json', 'an extraction that jobs can run'],
    ['config create variables Cities --file variables.json', 'names of variables; their values are rows'],
    ['config create generic-extractor Shop --file shop.json --json | jq -r .id', 'only its id, for a script'],
  ]);
}
