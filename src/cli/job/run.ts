import type { Command } from 'commander';
import type { ComponentId } from '../../core/component.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { answerCases } from './answer-cases.ts';
import { runGiven } from './run-given.ts';
import { runStored } from './run-stored.ts';

interface Options extends ClientOptions {
  readonly config?: string;
  readonly component: string;
  readonly out?: string;
  readonly state?: string;
  readonly var: readonly string[];
  readonly vault?: string;
  readonly dryRun: boolean;
  readonly jsonl: boolean;
  readonly concurrency: number;
}

/** The one that can be run. */
const usualComponent: ComponentId = 'generic-extractor';

/** Options that say what to ask the running product for. */
const ofProduct = [
  ['component', '--component'],
  ['branch', '--branch'],
  ['dataDir', '--data-dir'],
] as const;

/** `millrace job run FILE`, and `millrace job run --config ID` */
export function jobRun(context: CommandContext): Command {
  const command = clientCommand('run', 'Run a configuration: of a file, or one that is stored')
    .argument('[file]', 'a file with the configuration as JSON, run here and now; "-" is standard input')
    .option('--config <id>', 'a stored configuration, run as a job of the running product')
    .option('--component <component>', 'with --config: whose configuration it is', usualComponent)
    .option('--out <folder>', 'where the tables go')
    .option('--state <file>', 'the state that the run before has left')
    .option('--var <name=value>', 'the value of a variable; may be given again', collect, [])
    .option('--vault <file>', 'values of the vault: a list of {"name", "value"}, or an object')
    .option('--dry-run', 'show the first request, the items found and the next request; write nothing', false)
    .option('--jsonl', 'run many configurations from standard input, a line {"id", "configuration", "out"} each', false)
    .option('--concurrency <n>', 'with --jsonl: runs at a time', parseCount('--concurrency', 200), 8)
    .addHelpText(
      'after',
      `
With --config the running product runs the configuration as a job and loads its tables, and the command follows it: the log goes to
standard error, the tables are printed at the end. Ctrl-C asks whether the job is to end, too; where nobody can be asked it goes on.

A file is run without a running product. Each table is a file FOLDER/BUCKET.TABLE of CSV with every cell quoted, its header first, and
FOLDER/BUCKET.TABLE.manifest beside it, in JSON; without a bucket FOLDER/TABLE. The state of the run goes into FOLDER.state.json, beside
the folder: give it to the next run with --state. Files of the same names are replaced, others stay. The log goes to standard error.

APIs at addresses of your own network are asked only when MILLRACE_EXTRACTOR_ALLOWED_HOSTS names them.

With --jsonl (millrace job run --jsonl < cases.jsonl) a line may have "state", "values" and "vault", too. Each line is answered by a line
{"id", "exitCode", "log": [{"level", "message"}]} as soon as it has ended, in any order.

Exit codes: 0 done, 1 the configuration is wrong or the API refuses, or the job was ended, 2 this program or its machine failed. Nothing
is written or loaded unless it is 0.`,
    )
    .action(async (file: string | undefined, options: Options) => {
      const way = wayOf(file, options, command);
      switch (way.kind) {
        case 'stored':
          return runStored(context, { ...options, config: way.config });
        case 'cases':
          return answerCases(context, options.concurrency);
        case 'given':
          return runGiven(context, { ...options, file: way.file });
        default:
          return way satisfies never;
      }
    });
  return withExamples(command, [
    ['job run --config shop', 'a stored configuration, followed to its end'],
    ['job run --config shop --var since=2026-01-01', 'the same, with a value for one of its variables'],
    ['job run users.json --dry-run', 'what it would ask for'],
    ['job run users.json --out tables --var since=2026-01-01', 'its tables as files'],
    ['job run users.json --out tables --state tables.state.json', 'again, from where it was'],
  ]);
}

/** What is to be run. */
type Way =
  | { readonly kind: 'stored'; readonly config: string }
  | { readonly kind: 'cases' }
  | { readonly kind: 'given'; readonly file: string };

/** `input.invalid` for options that do not go together. */
function wayOf(file: string | undefined, options: Options, command: Command): Way {
  const { dryRun, jsonl, out, state, vault, config, json } = options;
  const isPlaced = [file, out, state, vault].some((one) => one !== undefined) || dryRun;
  if (config !== undefined) {
    if (isPlaced || jsonl)
      throw usage('With --config give neither a file nor what is said of one: the product has the configuration.');
    return { kind: 'stored', config };
  }
  for (const [name, flag] of ofProduct)
    if (command.getOptionValueSource(name) === 'cli')
      throw usage(`${flag} goes with --config: without it no running product is asked.`);
  if (json && (jsonl || dryRun)) throw usage('--json is how tables are printed: it goes with --out or --config.');
  if (jsonl) {
    if (isPlaced || options.var.length > 0)
      throw usage('With --jsonl give neither a file nor where it goes: the lines have them.');
    return { kind: 'cases' };
  }
  if (file === undefined)
    throw usage('Give a file with a configuration, "-" for standard input, or --config with the id of a stored one.');
  if (dryRun === (out !== undefined)) throw usage('Give either --out with a folder, or --dry-run.');
  return { kind: 'given', file };
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function usage(message: string): MillraceError {
  return new MillraceError('input.invalid', message);
}
