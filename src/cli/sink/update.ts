import type { Command } from 'commander';
import type { ColumnRename } from '../../core/column-change.ts';
import type { ColumnShape } from '../api-shapes.ts';
import type { SinkChange } from '../client.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { requireChange } from '../require-change.ts';
import { waitFor } from '../wait-for.ts';
import { agreeToAlter, parseRenames } from './alter-table.ts';
import { columnSyntax } from './parse-column.ts';
import { printSink } from './print-sink.ts';
import { readColumns, type ColumnOptions } from './read-columns.ts';

interface Options extends ClientOptions, ColumnOptions {
  readonly name?: string;
  readonly description?: string;
  readonly table?: string;
  readonly alterTable: boolean;
  readonly renameColumn: readonly string[];
  readonly yes: boolean;
}

const typedFields = {
  name: '--name',
  tableId: '--table',
  description: '--description',
  'table.alter': '--alter-table',
  'table.renamed': '--rename-column',
};

/** `millrace sink update SOURCE SINK` */
export function sinkUpdate(context: CommandContext): Command {
  const command = clientCommand('update', 'Change a sink; rows that are made from now on follow it')
    .argument('<source>', 'id of the source')
    .argument('<sink>', 'id of the sink')
    .option('--name <name>', 'another name; the id stays')
    .option('--description <text>', 'another description')
    .option('--table <table>', 'another table; made when it does not exist, the old one stays')
    .option('--column <column...>', 'all columns, in order; repeat it')
    .option('--columns <file>', 'all columns as a JSON or YAML file')
    .option(
      '--alter-table',
      'give the table the columns of the sink; it says what that does, and asks before cells go',
      false,
    )
    .option(
      '--rename-column <old=new>',
      'with --alter-table: a column that keeps its cells; may be given again',
      collect,
      [],
    )
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .addHelpText(
      'after',
      `
Without --alter-table other columns need a table that has them. With it columns that the sink has no more are dropped from the
table, with their cells, and new ones come behind the others, empty. Rows that were accepted before find their places.

${columnSyntax}`,
    )
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { name, description, table } = options;
      const columns = await readColumns(options);
      const { alterTable: alter } = options;
      const renamed = parseRenames(options.renameColumn, alter);
      const change = requireChange({ name, description, table, columns, alterTable: alter ? true : undefined });
      const client = await connect(context, options);
      const sink = { branch: options.branch, sourceId, sinkId };
      if (alter) await agreeToAlter(context, { client, sink, change, renamed, yes: options.yes });
      await waitFor(
        context.terminal,
        'Changing the sink',
        asTypedFields(typedFields, client.update(sink, bodyOf(change, renamed))),
      );
      printSink(context.terminal, await client.getSink(sink), options.json);
    });
  return withExamples(command, [
    ['sink update shop orders --column id:uuid total:path:total', 'other columns, for a table that has them'],
    [
      'sink update shop orders --column id:uuid amount:path:total --alter-table --rename-column total=amount',
      'the table changes with the sink, after it has said how',
    ],
    ['sink update shop orders --alter-table', 'make the table again, or give it back the columns of the sink'],
    ['sink update shop orders --table in.c-shop.orders_2', 'another table from now on'],
  ]);
}

interface Change {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly table: string | undefined;
  readonly columns: readonly ColumnShape[] | undefined;
  readonly alterTable: boolean | undefined;
}

/** One value an option, so that what follows it is not taken for a rename. */
function collect(rename: string, before: readonly string[]): readonly string[] {
  return [...before, rename];
}

/** The body of the API, where table and columns are one object. */
function bodyOf(
  { table: tableId, columns, alterTable: alter, ...rest }: Change,
  renamed: readonly ColumnRename[],
): SinkChange {
  if (tableId === undefined && columns === undefined && alter === undefined) return rest;
  const altered = alter === undefined ? {} : { alter, renamed: [...renamed] };
  return { ...rest, table: { tableId, ...(columns === undefined ? {} : { mapping: { columns } }), ...altered } };
}
