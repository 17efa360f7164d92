import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { EventShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { say } from '../print.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';

interface Options extends ClientOptions {
  readonly lines: number;
  readonly follow: boolean;
}

const mostLines = 1000;
const lookEveryMs = 500;

/** `millrace source tail SOURCE` */
export function sourceTail(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('tail', 'Show the last events of a source, and those that come, until Ctrl-C')
    .argument('<source>', 'id of the source')
    .option('-n, --lines <n>', 'so many of the last events', parseCount('--lines', mostLines), 10)
    .option('--no-follow', 'end after the last events')
    .addHelpText(
      'after',
      `
A line is the time of arrival, partition/offset in the topic, and the body; --json has the headers, too, an object a line.
Of the last events at most about a megabyte is shown, of a body its first 64 KB.`,
    )
    .action(async (sourceId: string, { branch, json, lines, follow }: Options) => {
      const client = await connect(context, command.opts<Options>());
      const print = async (events: readonly EventShape[]): Promise<void> => {
        for (const event of events) await writeLine(terminal, json ? jsonLine(event) : lineOf(event, terminal));
      };
      let { events, position } = await client.listEvents({ branch, sourceId }, { limit: lines });
      await print(events);
      if (!follow) return;
      for (;;) {
        if (events.length === 0) await sleep(lookEveryMs, undefined, { signal: context.signal });
        const further = await client.listEvents({ branch, sourceId }, { limit: mostLines, position });
        ({ events, position } = further);
        if (further.skipped !== undefined) say(terminal, skippedText(further.skipped));
        await print(events);
      }
    });
  return withExamples(command, [
    ['source tail shop', 'the last ten events, and those that come'],
    ['source tail shop --lines 1 --no-follow --json', 'the last one, with its headers'],
    ['source tail shop --json | jq --unbuffered -r .body', 'bodies only'],
  ]);
}

/** Whole for a program, cut to the width of the terminal for a person; nothing in it moves a cursor. */
function lineOf(event: EventShape, { human, columns }: Terminal): string {
  const { arrivedAt, partition, offset } = event;
  return printable(`${arrivedAt}  ${partition}/${offset}  ${bodyOf(event)}`, human ? columns : undefined);
}

function skippedText(places: number): string {
  return `millrace: ${places} ${places === 1 ? 'event was' : 'events were'} removed by retention before they could be shown.`;
}

function bodyOf({ body, bodySize }: EventShape): string {
  if (body === undefined) return `(${bodySize} bytes that are no text; --json has them)`;
  return Buffer.byteLength(body) < bodySize ? `${body}…` : body;
}

function jsonLine(event: EventShape): string {
  return withoutHiddenText(JSON.stringify(event));
}

/** Waits for a slow reader; rejects when there is none any more. */
async function writeLine({ stdout }: Terminal, line: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stdout.write(`${line}\n`, (error) => (error == null ? resolve() : reject(error)));
  });
}
