import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { chooseValues } from '../../variables/choose-values.ts';
import { configurationText } from '../../variables/configuration-text.ts';
import { resolve, type Resolved } from '../../variables/resolve.ts';
import { parseGivenValues } from '../../variables/values.ts';
import { VariableError } from '../../variables/variable-error.ts';
import { withExamples, type CommandContext } from '../command-context.ts';
import { readWhole } from '../jsonnet/template-event.ts';
import { say } from '../print.ts';
import { splitLines } from '../send/split-lines.ts';
import type { Terminal } from '../terminal.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';
import { answerLine } from './answer-line.ts';
import { namedValue } from './named-value.ts';

interface Options {
  readonly var: readonly string[];
  readonly values?: string;
  readonly vault?: string;
  readonly definition?: string;
  readonly jsonl: boolean;
}

/** `millrace variables render FILE` */
export function variablesRender({ terminal }: Pick<CommandContext, 'terminal'>): Command {
  const command = new Command('render')
    .description('Replace the placeholders of a component configuration, without storing it')
    .argument('[file]', 'a file with the configuration as JSON; "-" is standard input')
    .option('--var <name=value>', 'the value of a variable; may be given again', collect, [])
    .option('--values <file>', 'values as JSON: a list of {"name", "value"}, or an object; --var goes before it')
    .option('--vault <file>', 'values of the vault, likewise')
    .option('--definition <file>', 'the variables that must have a value: {"variables": [{"name", "type"}]}')
    .option('--jsonl', 'read many configurations from standard input, a line {"id", "configuration"} each', false)
    .addHelpText(
      'after',
      `
Prints the configuration that a component would get, as JSON. It needs no running process. {{name}} becomes the value of a
variable, {{vault.name}} that of the vault; every placeholder must have one.

With --jsonl (millrace variables render --jsonl < cases.jsonl) a line may have "values" and "vault", too. Without "values" only placeholders of the vault are replaced, as for a
configuration without variables_id. Each line is answered by a line {"id", "result"} or {"id", "error"}.

The exit code is 1 when the configuration cannot be rendered.`,
    )
    .action(async (file: string | undefined, options: Options) => {
      if (options.jsonl) {
        if (file !== undefined || namesValues(options))
          throw usage('With --jsonl give neither a file nor values: the lines have them.');
        return answerLines(terminal);
      }
      if (file === undefined)
        throw usage('Give a file with a configuration, "-" for standard input; --help has examples.');
      const { configuration, notes } = await rendered(terminal, file, options);
      // Digits of whole numbers are kept by the text alone.
      terminal.stdout.write(`${withoutHiddenText(configurationText(configuration))}\n`);
      if (terminal.human) for (const note of notes) say(terminal, note);
    });
  return withExamples(command, [
    ['variables render config.json --var city=Brno --var limit=20', 'what an extraction would be asked'],
    ['variables render config.json --values values.json --vault vault.json', 'values from files'],
  ]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function namesValues({ var: given, values, vault, definition }: Options): boolean {
  return given.length > 0 || [values, vault, definition].some((file) => file !== undefined);
}

async function rendered({ stdin }: Terminal, file: string, options: Options): Promise<Resolved> {
  const named = options.var.map(namedValue);
  const [values, vault, definition] = await Promise.all(
    [options.values, options.vault, options.definition].map(readJson),
  );
  const source = file === '-' ? await text(stdin) : (await readWhole(file)).toString();
  const configuration = parseJson(file === '-' ? 'stdin' : file, source);
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration))
    throw usage(`${file} must hold a JSON object: the configuration of a component.`);
  try {
    const given = new Map([...parseGivenValues(values ?? {}), ...named]);
    const chosen =
      definition === undefined
        ? { values: given, note: 'Replacing variables using inline values.' }
        : chooseValues({ variablesId: 'given', values: Object.fromEntries(given) }, { definition });
    return resolve({ configuration, chosen, vault: parseGivenValues(vault ?? {}) });
  } catch (thrown) {
    if (!(thrown instanceof VariableError)) throw thrown;
    throw new MillraceError('client.notRendered', thrown.message, { cause: thrown });
  }
}

async function readJson(file: string | undefined): Promise<unknown> {
  return file === undefined ? undefined : parseJson(file, (await readWhole(file)).toString());
}

function parseJson(name: string, source: string): unknown {
  try {
    return parseExactJsonText(source);
  } catch (thrown) {
    throw new MillraceError('input.invalid', `${name} is no JSON: ${MillraceError.fromUnknown(thrown).message}`, {
      cause: thrown,
    });
  }
}

function usage(message: string): MillraceError {
  return new MillraceError('input.invalid', message);
}

async function answerLines({ stdin, stdout }: Terminal): Promise<void> {
  for await (const { body } of splitLines('stdin', stdin as AsyncIterable<Uint8Array>)) {
    if (!stdout.write(`${answerLine(new TextDecoder().decode(body))}\n`)) await once(stdout, 'drain');
  }
}
