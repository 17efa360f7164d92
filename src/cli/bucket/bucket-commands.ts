import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { agree } from '../agree.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { printJson, printTable, say } from '../print.ts';
import { printable } from '../printable.ts';
import { rowsText } from '../table/dependents-text.ts';

interface Options {
  readonly json: boolean;
  readonly dataDir?: string;
}

/** `millrace bucket …` */
export function bucketCommands(context: CommandContext): Command {
  return new Command('bucket')
    .description('Buckets: what tables are in')
    .addCommand(bucketList(context))
    .addCommand(bucketCreate(context))
    .addCommand(bucketDelete(context));
}

function bucketList(context: CommandContext): Command {
  const command = bucketCommand('list', 'List the buckets').action(async (options: Options) => {
    const found = await (await connect(context, options)).buckets.list();
    if (options.json) return printJson(context.terminal, found);
    return printTable(context.terminal, {
      head: ['bucket', 'tables', 'rows', 'description'],
      rows: found.map(({ id, tablesCount, rowsCount, description }) => [id, tablesCount, rowsCount, description]),
      cut: 'description',
      empty: 'There is no bucket.',
    });
  });
  return withExamples(command, [['bucket list', 'every bucket, also one that only came with its table']]);
}

interface CreateOptions extends Options {
  readonly displayName?: string;
  readonly description?: string;
}

function bucketCreate(context: CommandContext): Command {
  const command = bucketCommand('create', 'Create a bucket; it stays when its last table goes')
    .argument('<bucket>', 'stage and name, "in.shop" or "out.shop"; "c-" is put before the name')
    .option('--display-name <text>', 'what people call it (default: its name)')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', '\nA table brings its bucket along: this is for one that is to be there before, or to stay.')
    .action(async (bucketId: string, { displayName, description, ...options }: CreateOptions) => {
      const { buckets } = await connect(context, options);
      const optional = {
        ...(displayName !== undefined && { displayName }),
        ...(description !== undefined && { description }),
      };
      const typed = { displayName: '--display-name', description: '--description', name: 'the name' };
      const made = await asTypedFields(typed, buckets.create({ ...partsOf(bucketId), ...optional }));
      if (options.json) printJson(context.terminal, made);
      else context.terminal.stdout.write(`Bucket ${printable(made.id)} is there.\n`);
    });
  return withExamples(command, [
    ['bucket create in.crm --description "What the CRM exports"', 'Bucket in.c-crm is there'],
  ]);
}

interface DeleteOptions extends Options {
  readonly force: boolean;
  readonly yes: boolean;
}

function bucketDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = bucketCommand('delete', 'Delete a bucket; with its tables it asks')
    .argument('<bucket>', 'stage.name, as the list shows it')
    .option('--force', 'with its tables; none of them may be filled by a sink', false)
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .action(async (bucketId: string, { force, yes, ...options }: DeleteOptions) => {
      const { buckets } = await connect(context, options);
      const { tablesCount, rowsCount } = await buckets.get(bucketId);
      const shown = printable(bucketId);
      if (force && tablesCount > 0) {
        const tables = tablesCount === 1 ? '1 table' : `${tablesCount} tables`;
        say(terminal, `The bucket ${shown} has ${tables} with ${rowsText(rowsCount)}.`);
        await agree(context, { yes, question: 'Delete it with them?', otherwise: 'The bucket was not deleted' });
      }
      await buckets.remove(bucketId, { force });
      if (options.json) printJson(terminal, { id: bucketId, isDeleted: true });
      else terminal.stdout.write(`Bucket ${shown} has been deleted.\n`);
    });
  return withExamples(command, [
    ['bucket delete in.c-crm', 'refused while tables are in it'],
    ['bucket delete in.c-crm --force --yes', 'with its tables, in a script'],
  ]);
}

function bucketCommand(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON instead of a sentence or a table', false)
    .option('--data-dir <folder>', 'data folder of the running process (default: MILLRACE_DATA_DIR)');
}

function partsOf(bucketId: string): { readonly stage: 'in' | 'out'; readonly name: string } {
  const [stage, name, ...more] = bucketId.split('.');
  if ((stage === 'in' || stage === 'out') && name !== undefined && name !== '' && more.length === 0)
    return { stage, name };
  const rule = 'a bucket has the two parts "stage.name", and its stage is "in" or "out"';
  throw new MillraceError('input.invalid', `Invalid <bucket> value "${printable(bucketId)}": ${rule}.`);
}
