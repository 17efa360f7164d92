import { Buffer } from 'node:buffer';
import type { Command } from 'commander';
import { deadLetterTable } from '../core/table-id.ts';
import type { AdminClient } from './client.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from './command-context.ts';
import { parseCount } from './parse-count.ts';
import { printJson, printTable, say } from './print.ts';
import type { TableRow } from './table/quoted-rows.ts';

interface Options extends ClientOptions {
  readonly limit: number;
}

/** Of a source, and of a sink of it, as far as they were typed. */
type Names = readonly [sourceId: string | undefined, sinkId: string | undefined];

const mostLetters = 1000;

/** `millrace dead-letters [SOURCE [SINK]]` */
export function deadLetters(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('dead-letters', 'Show the events that a mapping refused, and why, the newest first')
    .argument('[source]', 'id of the source (default: all)')
    .argument('[sink]', 'id of the sink (default: all of the source)')
    .option('--limit <n>', 'how many', parseCount('--limit', mostLetters), 20)
    .addHelpText(
      'after',
      `
They are rows of the table ${deadLetterTable}, which holds them whole, with their headers; "flush" brings those of a moment ago.
Those that were loaded last are shown, of which at most 16 MB; "millrace table export" writes all of them.`,
    )
    .action(async (source: string | undefined, sink: string | undefined, options: Options) => {
      const client = await connect(context, options);
      const { rows, isCut } = await lastLetters(client, [source, sink], options);
      const letters = rows.toReversed().toSorted(newestFirst);
      if (letters.length === 0) await checkNames(client, options.branch, [source, sink]);
      if (options.json) return printJson(terminal, letters.map(withText));
      printTable(terminal, {
        head: ['sink', 'arrived', 'reason', 'column', 'message', 'place', 'body'],
        rows: letters.map(cellsOf),
        cut: 'body',
        empty: 'There are no dead letters in the table.',
      });
      if (isCut) say(terminal, `Fewer than asked for are shown: it is 16 MB at most.`);
      else if (terminal.human && letters.length > 0) say(terminal, countText(letters.length, options.limit));
    });
  return withExamples(command, [
    ['dead-letters', 'the newest of all sinks'],
    ['dead-letters shop orders --limit 3', 'of one sink'],
    ['dead-letters shop --json | jq -r ".[].body"', 'the bodies as they were sent'],
  ]);
}

/** A name that nothing has must not look like one without dead letters: it is refused, as by the other commands. */
async function checkNames(client: AdminClient, branch: string, names: Names): Promise<void> {
  const [sourceId, sinkId] = names;
  if (sourceId === undefined) return;
  await (sinkId === undefined ? client.getSource({ branch, sourceId }) : client.getSink({ branch, sourceId, sinkId }));
}

/** The last ones of the table, in its order; none where there is no table yet. */
async function lastLetters(
  client: AdminClient,
  [source, sink]: Names,
  { limit }: Options,
): Promise<{ readonly rows: readonly TableRow[]; readonly isCut: boolean }> {
  if (!(await client.listTables()).some(({ id }) => id === deadLetterTable)) return { rows: [], isCut: false };
  const where = new Map(
    Object.entries({ source, sink }).flatMap(([column, name]) => (name === undefined ? [] : [[column, name]])),
  );
  return client.lastRows(deadLetterTable, { limit, where });
}

/** Times are of one length, so that their text sorts as they do. */
function newestFirst(one: TableRow, other: TableRow): number {
  const [a = '', b = ''] = [one['arrived_at'], other['arrived_at']];
  return a === b ? 0 : a < b ? 1 : -1;
}

function countText(shown: number, limit: number): string {
  return shown < limit ? `${shown} dead letters` : `the last ${shown} dead letters; --limit shows more`;
}

function cellsOf(row: TableRow): readonly string[] {
  const { source = '', sink = '', arrived_at: arrived = '', reason = '', column = '', message = '', place = '' } = row;
  return [`${source}/${sink}`, arrived, reason, column, message, place, bodyText(row)];
}

function withText(row: TableRow): TableRow {
  return { ...row, body: bodyText(row) };
}

/** The body as text; bytes that are none become U+FFFD. */
function bodyText({ body = '' }: TableRow): string {
  return Buffer.from(body, 'base64').toString();
}
