import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { asTypedFields } from '../as-typed-fields.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';

interface Options {
  readonly json: boolean;
  readonly branch?: string;
  readonly dataDir?: string;
}

/** `millrace vault …` */
export function vaultCommands(context: CommandContext): Command {
  return new Command('vault')
    .description('Vault: secrets that configurations name as {{vault.name}}')
    .addCommand(vaultList(context))
    .addCommand(vaultSet(context))
    .addCommand(vaultDelete(context));
}

function vaultList(context: CommandContext): Command {
  const command = vaultCommand('list', 'List the names in the vault; no value is ever shown').action(
    async (options: Options) => {
      const { vault } = await connect(context, options);
      const found = await vault.list(options.branch);
      if (options.json) return printJson(context.terminal, found);
      return printTable(context.terminal, {
        head: ['name', 'created', 'updated'],
        rows: found.map(({ name, created, updated }) => [name, created.at, updated.at]),
        empty: 'The vault is empty.',
      });
    },
  );
  return withExamples(command, [['vault list', 'those of the project, which every branch has']]);
}

function vaultSet(context: CommandContext): Command {
  const { terminal } = context;
  const command = vaultCommand('set', 'Set a value of the vault to what standard input holds')
    .argument('<name>', 'letters, digits, "-" and "_"')
    .addHelpText('after', '\nOne line end at the end of the input is not part of the value.')
    .action(async (name: string, options: Options) => {
      const { vault } = await connect(context, options);
      const value = (await text(terminal.stdin)).replace(/\r?\n$/, '');
      if (value === '') throw new MillraceError('input.invalid', 'Standard input is empty: give the value there.');
      const typed = { name: 'the name', value: 'the value' };
      const set = await asTypedFields(typed, vault.set(options.branch, { name, value }));
      if (options.json) printJson(terminal, set);
      else terminal.stdout.write(`{{vault.${name}}} has been set.\n`);
    });
  return withExamples(command, [
    [
      'vault set shop-token < token.txt',
      'it does not appear in the list of processes, nor in the history of the shell',
    ],
    ['vault set shop-token --branch 12 < token.txt', 'another one for one branch'],
  ]);
}

function vaultDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = vaultCommand('delete', 'Delete a value of the vault')
    .argument('<name>', 'its name')
    .action(async (name: string, options: Options) => {
      await (await connect(context, options)).vault.remove(options.branch, name);
      if (options.json) printJson(terminal, { name, isDeleted: true });
      else terminal.stdout.write(`{{vault.${name}}} has been deleted.\n`);
    });
  return withExamples(command, [['vault delete shop-token', 'jobs that need it fail from now on']]);
}

function vaultCommand(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON instead of a sentence or a table', false)
    .option('--branch <branch>', 'a branch with values of its own: "default" or a number (default: the project)')
    .option('--data-dir <folder>', 'data folder of the running process (default: MILLRACE_DATA_DIR)');
}
