import { Buffer, isUtf8 } from 'node:buffer';
import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printFields, printJson } from '../print.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import type { ShownLetterShape } from './letter-client.ts';
import { markedPlace } from './marked-place.ts';

/** `millrace dead-letters show EVENT` */
export function showDeadLetter(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('show', 'Show one with its event, and the place in the template that refused it')
    .argument('<event>', 'id of the event')
    .action(async (eventId: string, options: ClientOptions) => {
      const { letters: client } = await connect(context, options);
      const letters = await client.show(options.branch, eventId);
      if (options.json) return printJson(terminal, letters);
      for (const letter of letters) printLetter(terminal, letter);
      const [first] = letters;
      if (first !== undefined) printEvent(terminal, first);
    });
  return withExamples(command, [
    ['dead-letters show 019ab4c2-7e1f-7c3a-9d50-1f2e3d4c5b6a', 'why sinks refused it, and all of it'],
    [
      'dead-letters show 019ab4c2-7e1f-7c3a-9d50-1f2e3d4c5b6a --json | jq -r ".[0].bodyBase64" | base64 -d',
      'its bytes',
    ],
  ]);
}

function printLetter(terminal: Terminal, letter: ShownLetterShape): void {
  const { sourceId, sinkId, reason, column, message, place, mappingVersion, columnRule } = letter;
  printFields(terminal, {
    sink: `${sourceId}/${sinkId}`,
    reason,
    column: column === '' ? undefined : column,
    message,
    mapping: `version ${mappingVersion}`,
    path: columnRule?.path,
    place: place === '' ? undefined : place,
  });
  const template = columnRule?.template?.content;
  const marked = template === undefined ? [] : markedPlace(template, place);
  for (const line of marked) terminal.stdout.write(`${printable(line)}\n`);
  terminal.stdout.write('\n');
}

function printEvent(terminal: Terminal, letter: ShownLetterShape): void {
  const { eventId, arrivedAt, partition, offset, headers, bodyBase64 } = letter;
  printFields(terminal, { event: eventId, arrived: arrivedAt, offset: `${partition}/${offset}` });
  terminal.stdout.write('\n');
  for (const [name, value] of Object.entries(headers)) terminal.stdout.write(`${printable(`${name}: ${value}`)}\n`);
  terminal.stdout.write('\n');
  const body = Buffer.from(bodyBase64, 'base64');
  const text = isUtf8(body) ? body.toString() : `(${body.length} bytes that are no text; --json has them)`;
  for (const line of text.split('\n')) terminal.stdout.write(`${printable(line)}\n`);
}
