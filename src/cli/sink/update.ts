import type { Command } from 'commander';
import type { ColumnShape } from '../api-shapes.ts';
import type { SinkChange } from '../client.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { requireChange } from '../require-change.ts';
import { waitFor } from '../wait-for.ts';
import { columnSyntax } from './parse-column.ts';
import { printSink } from './print-sink.ts';
import { readColumns, type ColumnOptions } from './read-columns.ts';

interface Options extends ClientOptions, ColumnOptions {
  readonly name?: string;
  readonly description?: string;
  readonly table?: string;
}

const typedFields = { name: '--name', tableId: '--table', description: '--description' };

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
    .addHelpText('after', `\n${columnSyntax}`)
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { name, description, table } = options;
      const columns = await readColumns(options);
      const change = requireChange({ name, description, table, columns });
      const client = await connect(context, options);
      const sink = { branch: options.branch, sourceId, sinkId };
      await waitFor(
        context.terminal,
        'Changing the sink',
        asTypedFields(typedFields, client.update(sink, bodyOf(change))),
      );
      printSink(context.terminal, await client.getSink(sink), options.json);
    });
  return withExamples(command, [
    ['sink update shop orders --column id:uuid total:path:total', 'other columns, for a table that has them'],
    ['sink update shop orders --table in.c-shop.orders_2', 'another table from now on'],
  ]);
}

interface Change {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly table: string | undefined;
  readonly columns: readonly ColumnShape[] | undefined;
}

/** The body of the API, where table and columns are one object. */
function bodyOf({ table: tableId, columns, ...rest }: Change): SinkChange {
  if (tableId === undefined && columns === undefined) return rest;
  return { ...rest, table: { tableId, ...(columns === undefined ? {} : { mapping: { columns } }) } };
}
