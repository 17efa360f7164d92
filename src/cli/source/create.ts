import { Option, type Command } from 'commander';
import type { SourceType } from '../../core/source.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import type { SourceDeclaration } from '../apply/declaration.ts';
import { declarationsText, writtenDeclarations } from '../apply/write-declarations.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { firstTable, pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { advise, printJson } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { limits } from '../../core/limits.ts';
import { slug } from '../../core/slug.ts';
import { parseCount } from '../parse-count.ts';
import { presetBody, presetHelp, presetNames } from './presets.ts';
import { printSource } from './print-source.ts';
import { typeOption } from './type-option.ts';

interface Options extends ClientOptions {
  readonly id?: string;
  readonly type?: SourceType;
  readonly preset?: string;
  readonly description?: string;
  readonly partitions?: number;
  readonly print: boolean;
}

const typedFields = { name: 'the name', sourceId: '--id', description: '--description', partitions: '--partitions' };

/** `millrace source create NAME` */
export function sourceCreate(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('create', 'Create a source and print its URL')
    .argument('<name>', 'what people call it; 1 to 40 characters')
    .option('--id <id>', 'id of the source (default: made of the name)')
    .addOption(typeOption('what it receives (default: http)'))
    .addOption(presetOption())
    .option('--description <text>', 'a sentence about it')
    .option(
      '--partitions <count>',
      'that its events are shared out to; 1 keeps all in order (default: as the process says)',
      parseCount('--partitions', limits.partitions),
    )
    .option('--print', 'create nothing, and print it as a file for "apply"', false)
    .addHelpText('after', `\n${presetHelp}`)
    .action(async (name: string, options: Options) => {
      const { description, id: sourceId, partitions } = options;
      const kind = kindOf(name, options);
      if (options.print) {
        const declared = declarationOf(kind, { sourceId: sourceId ?? slug(name), name, description, partitions });
        if (options.json) printJson(terminal, writtenDeclarations({ sources: [declared] }));
        else
          terminal.stdout.write(
            declarationsText({ sources: [declared] }, 'Change it here, then let "apply" read this file.'),
          );
        return;
      }
      const client = await connect(context, options);
      const source = await waitFor(
        terminal,
        'Creating the source',
        asTypedFields(
          typedFields,
          client.createSource(options.branch, { name, description, sourceId, partitions, ...kind }),
        ),
      );
      printSource(terminal, source, options.json);
      if (!terminal.human || options.json) return;
      if (options.preset !== undefined) {
        advise(terminal, { text: exporterAdvice(source.otlp?.url ?? ''), lines: [] });
        return;
      }
      const lines = new PasteLines(pastePlace(context, options));
      advise(terminal, {
        text: 'Now give it a table:',
        lines: [lines.createSink(source.sourceId, firstTable(source.sourceId))],
      });
    });
  return withExamples(command, [
    ['source create Shop', 'a source "shop" for webhooks and application events'],
    ['source create Ledger --partitions 1', 'one whose rows come in the order of its events'],
    ['source create Telemetry --preset otlp', 'logs, metrics and traces of OpenTelemetry, a table for each'],
    ['source create Telemetry --preset otlp --print > telemetry.yaml', 'the same as a file for "apply"'],
    ['source create Shop --json | jq -r .http.url', 'only the URL, for a script'],
  ]);
}

function presetOption(): Option {
  return new Option('--preset <name>', 'make its sinks, too, with columns that fit')
    .choices(presetNames)
    .conflicts('type');
}

/** The kind of the source, and with a preset its sinks. */
function kindOf(name: string, { type = 'http', preset, id }: Options): Kind {
  return (preset === undefined ? undefined : presetBody(preset, id ?? slug(name))) ?? { type };
}

type Kind = Pick<SourceDeclaration, 'type'> & Partial<Pick<NonNullable<ReturnType<typeof presetBody>>, 'sinks'>>;

interface Named {
  readonly sourceId: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly partitions: number | undefined;
}

/** What it would be, as "apply" reads it. */
function declarationOf(
  { type, sinks = [] }: Kind,
  { description = '', partitions, ...named }: Named,
): SourceDeclaration {
  const plain = { description: '', disabled: false, settings: {} };
  const declared = sinks.map(({ table: { tableId, mapping }, ...sink }) => ({
    ...plain,
    ...sink,
    tableId,
    ...mapping,
  }));
  const shared = partitions === undefined ? {} : { partitions };
  return { ...plain, ...named, ...shared, type, description, sinks: declared };
}

function exporterAdvice(url: string): string {
  return `Give its URL to an SDK or a Collector: OTEL_EXPORTER_OTLP_ENDPOINT=${url} OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`;
}
