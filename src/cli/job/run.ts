import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import type { AskedExtraction, ExtractionFailure, WrittenTable } from '../../runtime/product.ts';
import { parseGivenValues } from '../../variables/values.ts';
import { withExamples, type CommandContext } from '../command-context.ts';
import { readWhole } from '../jsonnet/template-event.ts';
import { parseCount } from '../parse-count.ts';
import { printTable } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { namedValue } from '../variables/named-value.ts';
import { answerCases } from './answer-cases.ts';
import { preparedCase } from './extraction-case.ts';
import { showExtraction } from './extraction-progress.ts';
import { trialText } from './trial-text.ts';

interface Options {
  readonly out?: string;
  readonly state?: string;
  readonly var: readonly string[];
  readonly vault?: string;
  readonly dryRun: boolean;
  readonly jsonl: boolean;
  readonly concurrency: number;
}

/** `millrace job run FILE` */
export function jobRun(context: CommandContext): Command {
  const command = new Command('run')
    .description('Run a configuration of the generic extractor, without a running product')
    .argument('[file]', 'a file with the configuration as JSON; "-" is standard input')
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
Each table is a file FOLDER/BUCKET.TABLE of CSV with every cell quoted, its header first, and FOLDER/BUCKET.TABLE.manifest beside
it, in JSON; without a bucket FOLDER/TABLE. The state of the run goes into FOLDER.state.json, beside the folder: give it to the
next run with --state. Files of the same names are replaced, others stay. The log goes to standard error.

APIs at addresses of your own network are asked only when MILLRACE_EXTRACTOR_ALLOWED_HOSTS names them.

With --jsonl (millrace job run --jsonl < cases.jsonl) a line may have "state", "values" and "vault", too. Each line is answered by a line
{"id", "exitCode", "log": [{"level", "message"}]} as soon as it has ended, in any order.

Exit codes: 0 done, 1 the configuration is wrong or the API refuses, 2 this program or its machine failed. Nothing is written unless
it is 0.`,
    )
    .action(async (file: string | undefined, options: Options) => {
      const { dryRun, jsonl, out, state, vault, concurrency } = options;
      if (jsonl) {
        if (
          file !== undefined ||
          dryRun ||
          options.var.length > 0 ||
          [out, state, vault].some((one) => one !== undefined)
        )
          throw usage('With --jsonl give neither a file nor where it goes: the lines have them.');
        return answerCases(context, concurrency);
      }
      if (file === undefined)
        throw usage('Give a file with a configuration, "-" for standard input; --help has examples.');
      if (dryRun === (out !== undefined)) throw usage('Give either --out with a folder, or --dry-run.');
      return run(context, { ...options, file });
    });
  return withExamples(command, [
    ['job run users.json --dry-run', 'what it would ask for'],
    ['job run users.json --out tables --var since=2026-01-01', 'its tables as files'],
    ['job run users.json --out tables --state tables.state.json', 'again, from where it was'],
  ]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function usage(message: string): MillraceError {
  return new MillraceError('input.invalid', message);
}

async function run(context: CommandContext, options: Options & { readonly file: string }): Promise<void> {
  const { terminal, product, signal } = context;
  const config = context.config();
  const progress = showExtraction(terminal);
  try {
    const { tell, done: onProgress } = progress;
    const asked = { ...(await read(terminal, options, tell)), config, tell, onProgress };
    if (options.out === undefined) {
      const end = await product.tryExtraction(asked, signal);
      progress.end();
      if (end.kind !== 'done') throw failure(end);
      terminal.stdout.write(`${trialText(end)}\n`);
    } else {
      const end = await product.extract({ ...asked, out: options.out }, signal);
      progress.end();
      if (end.kind !== 'done') throw failure(end);
      report(terminal, end.tables);
    }
  } finally {
    progress.end();
  }
}

function report(terminal: Terminal, tables: readonly WrittenTable[]): void {
  const rows = tables.map(({ file, rows: count, columns }) => [file, count, columns]);
  printTable(terminal, { head: ['table', 'rows', 'columns'], rows, empty: 'No table: nothing was found.' });
}

function failure(end: ExtractionFailure): MillraceError {
  switch (end.kind) {
    case 'refused':
      return refused(end.message);
    case 'broken':
      return new MillraceError('client.extractionBroken', end.message, { cause: end.cause });
    default:
      return end satisfies never;
  }
}

function refused(message: string): MillraceError {
  return new MillraceError('client.extractionRefused', message);
}

type Read = Pick<AskedExtraction, 'configuration' | 'state'>;

async function read(
  { stdin }: Terminal,
  options: Options & { readonly file: string },
  tell: AskedExtraction['tell'],
): Promise<Read> {
  const named = options.var.map(namedValue);
  const source = options.file === '-' ? await text(stdin) : await textOf(options.file);
  const configuration = parsed(options.file === '-' ? 'stdin' : options.file, source);
  const [state, vault] = await Promise.all([options.state, options.vault].map(readJson));
  const prepared = preparedCase(
    {
      configuration,
      values: named.length === 0 ? undefined : new Map(named),
      vault: vault === undefined ? undefined : parseGivenValues(vault),
    },
    tell,
  );
  if ('wrong' in prepared) throw refused(prepared.wrong);
  return { ...prepared, state };
}

async function readJson(file: string | undefined): Promise<object | undefined> {
  return file === undefined ? undefined : parsed(file, await textOf(file));
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readWhole(file)).toString();
  } catch (thrown) {
    throw refused(messageOf(thrown));
  }
}

function parsed(name: string, source: string): object {
  let value: unknown;
  try {
    value = parseExactJsonText(source);
  } catch (thrown) {
    throw refused(`${name} is no JSON: ${messageOf(thrown)}`);
  }
  if (typeof value === 'object' && value !== null) return value;
  throw refused(`${name} must hold a JSON object.`);
}
