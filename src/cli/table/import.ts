import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import type { FileClient, StorageJobShape } from '../file/file-client.ts';
import { uploadFile } from '../file/upload-file.ts';
import { printJson } from '../print.ts';
import { printable } from '../printable.ts';
import { waitFor } from '../wait-for.ts';
import { rowsText } from './dependents-text.ts';

interface Options extends ClientOptions {
  readonly create: boolean;
  readonly key?: readonly string[];
  readonly incremental: boolean;
  readonly delimiter?: string;
  readonly enclosure?: string;
  readonly header: boolean;
  readonly columns?: readonly string[];
}

/** `millrace table import TABLE FILE` */
export function tableImport(context: CommandContext): Command {
  const { terminal, signal } = context;
  const command = clientCommand('import', 'Load a table from a CSV file, compressed with gzip or not')
    .argument('<table>', 'stage.bucket.table')
    .argument('<file>', 'of this machine; its first line names the columns')
    .option('--create', 'make the table of the file', false)
    .option('--key <columns...>', 'with --create: those by which later loads replace rows')
    .option('--incremental', 'add the rows; else those that are there go first', false)
    .option('--delimiter <character>', 'between cells (default: a comma)')
    .option('--enclosure <character>', 'around cells (default: ")')
    .option('--no-header', 'the first line is a row; the columns are those of the table')
    .option('--columns <columns...>', 'of each line, in order; then the file has no header')
    .addHelpText(
      'after',
      `
All of the file is loaded in one step, or nothing of it: what is wrong with it is said with line and column. A table that a
sink fills takes --incremental alone.`,
    )
    .action(async (tableId: string, path: string, options: Options) => {
      const form = formOf(options);
      const { files } = await connect(context, options);
      const file = await uploadFile(files, terminal, { path, tags: [], isPermanent: false });
      // It is only for this load; where it cannot be removed it goes when its time is over.
      const remove = (): Promise<void> => files.remove(String(file.id)).catch(() => undefined);
      const begun = await files
        .load(tableId, { ...form, dataFileId: file.id }, options.create)
        .catch(async (thrown) => {
          await remove();
          throw thrown;
        });
      const ended = await waitFor(terminal, `Loading ${tableId}`, endOf(files, begun, signal));
      await remove();
      if (ended.status === 'error')
        throw new MillraceError('client.refused', `Nothing was loaded. ${ended.error?.message ?? ''}`);
      if (options.json) return printJson(terminal, ended);
      const rows = rowsText(ended.results?.totalRowsCount ?? 0);
      terminal.stdout.write(`Table ${printable(tableId)} has taken ${rows}.\n`);
    });
  return withExamples(command, [
    ['table import in.c-crm.customers customers.csv --create --key id', 'a table of the columns of the file'],
    ['table import in.c-crm.customers more.csv.gz --incremental', 'more rows; those with the same key are replaced'],
    ['table import in.c-crm.customers all.csv --delimiter ";"', 'instead of the rows that are there'],
  ]);
}

function formOf({ incremental, delimiter, enclosure, header, columns, key, create }: Options): object {
  if (key !== undefined && !create)
    throw new MillraceError('input.invalid', '--key is for --create: the table has its key already.');
  return {
    ...(create ? {} : { incremental }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(enclosure === undefined ? {} : { enclosure }),
    ...(header ? {} : { withoutHeaders: true }),
    ...(columns === undefined ? {} : { columns }),
    ...(key === undefined ? {} : { primaryKey: key }),
  };
}

async function endOf(files: FileClient, begun: StorageJobShape, signal: AbortSignal): Promise<StorageJobShape> {
  let job = begun;
  for (let waitMs = 50; job.status === 'waiting' || job.status === 'processing'; waitMs = Math.min(2 * waitMs, 1000)) {
    await sleep(waitMs, undefined, { signal });
    job = await files.job(String(job.id));
  }
  return job;
}
