import type { Command } from 'commander';
import type { SourceType } from '../../core/source.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { requireChange } from '../require-change.ts';
import { waitFor } from '../wait-for.ts';
import { printSource } from './print-source.ts';
import { typeOption } from './type-option.ts';

interface Options extends ClientOptions {
  readonly name?: string;
  readonly description?: string;
  readonly type?: SourceType;
}

const typedFields = { name: '--name', description: '--description' };

/** `millrace source update SOURCE` */
export function sourceUpdate(context: CommandContext): Command {
  const command = clientCommand('update', 'Change a source; its sinks are not touched')
    .argument('<source>', 'id of the source')
    .option('--name <name>', 'another name; the id stays')
    .option('--description <text>', 'another description')
    .addOption(typeOption('another type; this makes a new URL'))
    .action(async (sourceId: string, options: Options) => {
      const { name, description, type } = options;
      const change = requireChange({ name, description, type });
      const client = await connect(context, options);
      const source = { branch: options.branch, sourceId };
      await waitFor(context.terminal, 'Changing the source', asTypedFields(typedFields, client.update(source, change)));
      printSource(context.terminal, await client.getSource(source), options.json);
    });
  return withExamples(command, [['source update shop --name "Web shop"', 'another name, same id and URL']]);
}
