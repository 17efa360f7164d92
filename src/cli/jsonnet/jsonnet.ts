import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { compile } from '../../jsonnet/compile.ts';
import { JsonnetError } from '../../jsonnet/jsonnet-error.ts';
import { eventNatives } from '../../mapping/natives/event-natives.ts';
import { withExamples, type CommandContext } from '../command-context.ts';
import { splitLines } from '../send/split-lines.ts';
import type { Terminal } from '../terminal.ts';
import { answerLine, type Evaluate } from './answer-line.ts';
import { readWhole, templateEvent, type EventOptions } from './template-event.ts';

interface Options extends EventOptions {
  readonly jsonl: boolean;
}

/** `millrace jsonnet FILE` */
export function jsonnet(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('jsonnet')
    .description('Evaluate a template, on an event if you like')
    .argument('[file]', 'a file with a template; "-" is standard input')
    .option('--body <file>', 'the body of the event that the template sees')
    .option('--header <header>', 'a header of the event, "Name: value"; may be given again', collect, [])
    .option('--jsonl', 'read many templates from standard input, a line {"id", "source"} each', false)
    .addHelpText(
      'after',
      `
Prints the result as JSON, as a template column without rawString has it. It needs no running process: what the template
sees of its event comes from --body and --header; the body is JSON unless a header Content-Type says otherwise. The
limits are those of the installation (MILLRACE_TEMPLATE_…).

With --jsonl each line is answered by a line {"id", "result"}, the result as its JSON text, or
{"id", "error": {kind, message, line, column}}.

The exit code is 1 when the template is wrong or fails.`,
    )
    .action(async (file: string | undefined, options: Options) => {
      if (file !== undefined && options.jsonl) throw usage('Give either a file or --jsonl, not both.');
      if (file === undefined && !options.jsonl) throw usage('Give a file with a template, "-" for standard input.');
      const { templates: limits } = context.config();
      const event = await templateEvent(options);
      const evaluate = (source: string, fileName: string): string =>
        compile(source, { limits, natives: eventNatives, fileName }).evaluate(event);
      if (file === undefined) return answerLines(terminal, (source) => evaluate(source, 'stdin'));
      const name = file === '-' ? 'stdin' : file;
      const source = file === '-' ? await text(terminal.stdin) : (await readWhole(file)).toString();
      terminal.stdout.write(`${explained(name, () => evaluate(source, name))}\n`);
    });
  return withExamples(command, [
    ['jsonnet price.jsonnet --body order.json --header "X-Shop: 7"', 'what a template makes of an order'],
    [`jsonnet - < price.jsonnet`, 'standard input'],
  ]);
}

function collect(header: string, before: readonly string[]): readonly string[] {
  return [...before, header];
}

function usage(message: string): MillraceError {
  return new MillraceError('input.invalid', message);
}

/** A fault with the name of the file in front of its place. */
function explained(name: string, evaluate: () => string): string {
  try {
    return evaluate();
  } catch (thrown) {
    if (!(thrown instanceof JsonnetError)) throw thrown;
    throw new MillraceError('client.templateFailed', `${name}:${thrown.text}`, { cause: thrown });
  }
}

async function answerLines({ stdin, stdout }: Terminal, evaluate: Evaluate): Promise<void> {
  for await (const { body } of splitLines('stdin', stdin as AsyncIterable<Uint8Array>)) {
    const line = new TextDecoder().decode(body);
    if (!stdout.write(`${answerLine(line, evaluate)}\n`)) await once(stdout, 'drain');
  }
}
