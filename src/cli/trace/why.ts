import type { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { findSinks } from '../find-sinks.ts';
import { printJson, say } from '../print.ts';
import { printable } from '../printable.ts';
import { findingLines } from './finding-lines.ts';
import type { WhyShape } from './trace-client.ts';

/** `millrace why [SOURCE/SINK]` */
export function why(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('why', 'Say why rows are not in the table yet, and what comes next')
    .argument('[source]', 'id of the source (default: all), or "source/sink"')
    .argument('[sink]', 'id of the sink (default: all of the source)')
    .addHelpText(
      'after',
      `
It says what fails and when it is tried again, what is open and which trigger comes next, what is parked and until when, and
what will never be in the table. Where one event is, says "millrace trace".`,
    )
    .action(async (source: string | undefined, sink: string | undefined, options: ClientOptions) => {
      const names = namesOf(source, sink);
      const client = await connect(context, options);
      const sinks = await findSinks(client, { branch: options.branch, ...names });
      const found: WhyShape[] = [];
      for (const name of sinks) found.push(await client.traces.why(name));
      if (options.json) return printJson(terminal, found);
      const lines = found.flatMap((one) => whyLines(one, terminal, Date.now()));
      if (lines.length > 0) terminal.stdout.write(`${lines.join('\n')}\n`);
      else say(terminal, 'There are no sinks.');
    });
  return withExamples(command, [
    ['why shop/orders', 'of one sink'],
    ['why', 'of every sink'],
    ['why shop --json | jq -r ".[].findings[].text"', 'the reasons alone, for a script'],
  ]);
}

/** `shop/orders` is what people read elsewhere; other commands take two words. */
function namesOf(source: string | undefined, sink: string | undefined) {
  const [sourceId, sinkId, ...rest] = source?.split('/') ?? [];
  if (rest.length > 0 || sourceId === '' || sinkId === '' || (sinkId !== undefined && sink !== undefined))
    throw new MillraceError(
      'input.invalid',
      `"${[source, sink].join(' ')}" must be "SOURCE", "SOURCE/SINK" or "SOURCE SINK"`,
    );
  return { sourceId, sinkId: sinkId ?? sink };
}

/** What one sink says; what it accepted before it was deleted and came back has lines of its own. */
function whyLines(
  { sourceId, sinkId, earlier = [], ...own }: WhyShape,
  reader: CommandContext['terminal'],
  now: number,
): readonly string[] {
  const name = `${sourceId}/${sinkId}`;
  const parts = [{ name, of: own }, ...earlier.map((of) => ({ name: `${name} (deleted)`, of }))];
  return parts.flatMap(({ name: title, of }) => [
    `${title}: ${printable(of.verdict)}`,
    ...findingLines(of.findings, reader, now),
  ]);
}
