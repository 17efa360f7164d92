import type { Command } from 'commander';
import type { ServedSourceType } from '../../core/source.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { firstTable, pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { advise } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { printSource } from './print-source.ts';
import { typeOption } from './type-option.ts';

interface Options extends ClientOptions {
  readonly id?: string;
  readonly type: ServedSourceType;
  readonly description?: string;
}

const typedFields = { name: 'the name', sourceId: '--id', description: '--description' };

/** `millrace source create NAME` */
export function sourceCreate(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('create', 'Create a source and print its URL')
    .argument('<name>', 'what people call it; 1 to 40 characters')
    .option('--id <id>', 'id of the source (default: made of the name)')
    .addOption(typeOption('what it receives').default('http'))
    .option('--description <text>', 'a sentence about it')
    .action(async (name: string, options: Options) => {
      const { type, description, id: sourceId } = options;
      const client = await connect(context, options);
      const source = await waitFor(
        terminal,
        'Creating the source',
        asTypedFields(typedFields, client.createSource(options.branch, { name, type, description, sourceId })),
      );
      printSource(terminal, source, options.json);
      if (!terminal.human || options.json) return;
      const lines = new PasteLines(pastePlace(context, options));
      advise(terminal, {
        text: 'Now give it a table:',
        lines: [lines.createSink(source.sourceId, firstTable(source.sourceId))],
      });
    });
  return withExamples(command, [
    ['source create Shop', 'a source "shop" for webhooks and application events'],
    ['source create Shop --json | jq -r .http.url', 'only the URL, for a script'],
  ]);
}
