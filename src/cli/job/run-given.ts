import { text } from 'node:stream/consumers';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import type { AskedExtraction, ExtractionFailure, WrittenTable } from '../../runtime/product.ts';
import { parseGivenValues } from '../../variables/values.ts';
import type { CommandContext } from '../command-context.ts';
import { readWhole } from '../jsonnet/template-event.ts';
import { printJson, printTable } from '../print.ts';
import type { Terminal } from '../terminal.ts';
import { namedValue } from '../variables/named-value.ts';
import { preparedCase } from './extraction-case.ts';
import { showExtraction } from './extraction-progress.ts';
import { trialText } from './trial-text.ts';

export interface GivenRunOptions {
  /** `-` is standard input. */
  readonly file: string;
  /** Absent: it is only tried. */
  readonly out?: string;
  readonly state?: string;
  readonly var: readonly string[];
  readonly vault?: string;
  readonly json: boolean;
}

/** Runs a configuration of a file in this process, and tells what came out. */
export async function runGiven(context: CommandContext, options: GivenRunOptions): Promise<void> {
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
      if (options.json) printJson(terminal, end.tables);
      else report(terminal, end.tables);
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

async function read({ stdin }: Terminal, options: GivenRunOptions, tell: AskedExtraction['tell']): Promise<Read> {
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
