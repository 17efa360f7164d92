import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { printJson } from '../print.ts';
import { printable } from '../printable.ts';

interface CreateOptions extends ClientOptions {
  readonly key?: readonly string[];
}

/** `millrace table create TABLE COLUMN…` */
export function tableCreate(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('create', 'Make an empty table with columns of text')
    .argument('<table>', 'stage.bucket.table; the bucket is made, too')
    .argument('<columns...>', 'names of its columns, in order')
    .option('--key <columns...>', 'those by which later loads replace rows')
    .addHelpText('after', '\nA sink makes its table by itself: this is for tables that something else fills.')
    .action(async (tableId: string, columns: readonly string[], options: CreateOptions) => {
      const { bucketId, name } = partsOf(tableId);
      const client = await connect(context, options);
      const table = await client.createTable(bucketId, { name, columns, primaryKey: options.key ?? [] });
      if (options.json) printJson(terminal, table);
      else terminal.stdout.write(`Table ${printable(table.id)} is there, with ${columnCount(columns)}.\n`);
    });
  return withExamples(command, [
    ['table create in.c-shop.customers id name --key id', 'Table in.c-shop.customers is there, with 2 columns'],
  ]);
}

function columnCount({ length }: readonly string[]): string {
  return length === 1 ? '1 column' : `${length} columns`;
}

function partsOf(tableId: string): { readonly bucketId: string; readonly name: string } {
  const dot = tableId.lastIndexOf('.');
  if (dot > 0) return { bucketId: tableId.slice(0, dot), name: tableId.slice(dot + 1) };
  const rule = 'a table ID has the three parts "stage.bucket.table"';
  throw new MillraceError('input.invalid', `Invalid <table> value "${printable(tableId)}": ${rule}.`);
}
