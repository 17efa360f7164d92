import { Buffer } from 'node:buffer';
import type { Command } from 'commander';
import { deadLetterTable } from '../../core/table-id.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say } from '../print.ts';
import type { LetterShape } from './letter-client.ts';
import { filterOf, lettersCommand, sinceOption, type LetterOptions } from './letter-options.ts';

interface Options extends LetterOptions {
  readonly limit: number;
}

const mostLetters = 1000;

/** `millrace dead-letters [list] [SOURCE [SINK]]` */
export function listDeadLetters(context: CommandContext): Command {
  const { terminal } = context;
  const command = sinceOption(lettersCommand('list', 'List those that were loaded last, the newest first'))
    .option('--limit <n>', 'how many', parseCount('--limit', mostLetters), 20)
    .addHelpText(
      'after',
      `
They are rows of the table ${deadLetterTable}, which holds them whole, with their headers; "flush" brings those of a moment ago.
At most 16 MB are shown; "millrace table export" writes all of them.`,
    )
    .action(async (sourceId: string | undefined, sinkId: string | undefined, options: Options) => {
      const { branch, limit, json } = options;
      const client = await connect(context, options);
      const found = await client.letters.list(branch, { ...filterOf([sourceId, sinkId], options), limit });
      const letters = found.letters.toSorted(newestFirst);
      if (json) return printJson(terminal, letters.map(withText));
      printTable(terminal, {
        head: ['sink', 'arrived', 'reason', 'column', 'message', 'place', 'body'],
        rows: letters.map(cellsOf),
        cut: 'body',
        empty: 'There are no dead letters in the table.',
      });
      if (found.isCut) say(terminal, `Fewer than asked for are shown: it is 16 MB at most.`);
      else if (terminal.human && letters.length > 0) say(terminal, countText(letters.length, limit));
    });
  return withExamples(command, [
    ['dead-letters', 'the newest of all sinks'],
    ['dead-letters shop orders --limit 3', 'of one sink'],
    ['dead-letters shop --reason templateError --since 24h', 'what a template could not take since yesterday'],
    ['dead-letters shop --json | jq -r ".[].body"', 'the bodies as they were sent'],
  ]);
}

/** Times are of one length, so that their text sorts as they do. */
function newestFirst(one: LetterShape, other: LetterShape): number {
  const [a, b] = [one.arrivedAt, other.arrivedAt];
  return a === b ? 0 : a < b ? 1 : -1;
}

function countText(shown: number, limit: number): string {
  return shown < limit ? `${shown} dead letters` : `the last ${shown} dead letters; --limit shows more`;
}

function cellsOf(letter: LetterShape): readonly string[] {
  const { sourceId, sinkId, arrivedAt, reason, column, message, place } = letter;
  return [`${sourceId}/${sinkId}`, arrivedAt, reason, column, message, place, bodyText(letter)];
}

function withText({ bodyBase64, ...letter }: LetterShape) {
  return { ...letter, body: bodyText({ bodyBase64 }) };
}

/** The body as text; bytes that are none become U+FFFD. */
function bodyText({ bodyBase64 }: Pick<LetterShape, 'bodyBase64'>): string {
  return Buffer.from(bodyBase64, 'base64').toString();
}
