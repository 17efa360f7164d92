import { InvalidArgumentError, Option, type Command } from 'commander';
import { backfillRule, parseBackfill } from '../../core/backfill.ts';
import { signals, type Signal } from '../../core/event.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { adviseToSend } from '../paste/next-step.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { advise } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { columnSyntax } from './parse-column.ts';
import { printSink } from './print-sink.ts';
import { readColumns, type ColumnOptions } from './read-columns.ts';

interface Options extends ClientOptions, ColumnOptions {
  readonly table: string;
  readonly id?: string;
  readonly description?: string;
  readonly signal?: readonly Signal[];
  readonly from: string;
}

function parseFrom(text: string): string {
  if (parseBackfill(text) !== undefined) return text;
  throw new InvalidArgumentError(`--from ${backfillRule}.`);
}

const defaultColumns = ['id:uuid', 'datetime:datetime', 'ip:ip', 'headers:headers', 'body:body'];

const typedFields = { name: 'the name', sinkId: '--id', tableId: '--table', description: '--description' };

/** `millrace sink create SOURCE NAME --table TABLE` */
export function sinkCreate(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('create', 'Create a sink: a table that gets a row of each event of a source')
    .argument('<source>', 'id of the source')
    .argument('<name>', 'what people call it; 1 to 40 characters')
    .requiredOption('--table <table>', 'stage.bucket.table, such as in.c-shop.orders; made when it does not exist')
    .option('--column <column...>', `a column, in order; repeat it (default: ${defaultColumns.join(' ')})`)
    .option('--columns <file>', 'the columns as a JSON or YAML file')
    .option('--id <id>', 'id of the sink (default: made of the name)')
    .option('--description <text>', 'a sentence about it')
    .addOption(new Option('--signal <signal...>', 'of an OTLP source: only these signals').choices(signals))
    .option(
      '--from <position>',
      'begin with the next event (latest), with the earliest that the source still keeps, or with the first at a time or later: 2026-11-01T00:00, UTC unless it says +01:00',
      parseFrom,
      'latest',
    )
    .addHelpText('after', `\n${columnSyntax}`)
    .action(async (sourceId: string, name: string, options: Options) => {
      const columns = (await readColumns(options)) ?? (await readColumns({ column: defaultColumns })) ?? [];
      const { id: sinkId, description, signal: allowedSignals, from: backfill, table, branch } = options;
      const body = {
        sinkId,
        name,
        description,
        allowedSignals,
        backfill,
        table: { tableId: table, mapping: { columns } },
      };
      const client = await connect(context, options);
      const sink = await waitFor(
        terminal,
        'Creating the sink',
        asTypedFields(typedFields, client.createSink({ branch, sourceId }, body)),
      );
      printSink(terminal, sink, options.json);
      if (!terminal.human || options.json) return;
      advise(terminal, await adviseToSend(sink, new PasteLines(pastePlace(context, options))));
    });
  return withExamples(command, [
    ['sink create shop Raw --table in.c-shop.raw', 'every event with its id, time, sender, headers and body'],
    [
      'sink create shop Orders --table in.c-shop.orders --column id:uuid "customer:text:customer.name?=" total:path:total',
      'fields of the JSON body as columns',
    ],
    [
      'sink create shop Orders --table in.c-shop.orders --columns orders.yaml --from earliest',
      'columns of a file, old events too',
    ],
    [
      `sink create shop Totals --table in.c-shop.totals --column id:uuid "total:template:Body('price') * Body('count', 1)" who:template-text:@who.jsonnet`,
      'computed columns, the second from a file',
    ],
  ]);
}
