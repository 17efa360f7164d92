import { InvalidArgumentError, type Command } from 'commander';
import { parseBackfill } from '../../core/backfill.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseDuration } from '../../core/settings/duration.ts';
import type { AdminClient } from '../client.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import type { SourceName } from '../object-name.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, say } from '../print.ts';
import type { TraceQuery, TraceShape } from './trace-client.ts';
import { traceLines } from './trace-lines.ts';

interface Options extends ClientOptions {
  readonly source?: string;
  readonly sink?: string;
  readonly at?: string;
  readonly column?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
}

const mostEvents = 100;

/** `millrace trace [EVENT_ID]` */
export function trace(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('trace', 'Say where an event is now, for each sink, and why it is not in a table yet')
    .argument('[event-id]', 'id of the event: a cell of a column of ids, or of a dead letter')
    .option('--source <source>', 'id of its source (default for an event id: all)')
    .option('--at <partition:offset>', 'the event at this place of the source')
    .option('--column <name=value>', 'events of which the mapping of --sink makes this text in this column')
    .option('--sink <sink>', 'id of the sink whose column it is')
    .option('--since <time>', 'events that arrived then or later: a time, or how long ago, such as "2h"', timeOf)
    .option('--until <time>', 'events that arrived before', timeOf)
    .option('--limit <n>', 'how many events (default: 1 for an event id, else 10)', parseCount('--limit', mostEvents))
    .addHelpText(
      'after',
      `
An id that the product made says when the event arrived, and is looked for around that time. Any other id is looked for in all that the
log has of a source, or from --since on; Ctrl-C ends it. What was not read is never called missing. Where an event was removed by
retention, its rows and dead letters are still found by its id.`,
    )
    .action(async (eventId: string | undefined, options: Options) => {
      const query = queryOf(eventId, options);
      const client = await connect(context, options);
      const names = await sourcesOf(client, options);
      const found: TraceShape[] = [];
      for (const name of names) {
        found.push(await search(context, client, { name, query }));
        if (eventId !== undefined && (found.at(-1)?.events.length ?? 0) > 0) break;
      }
      const told = found.some(({ events }) => events.length > 0)
        ? found.filter(({ events }) => events.length > 0)
        : found;
      if (options.json) return printJson(terminal, told);
      if (told.length === 0) return say(terminal, 'There are no sources.');
      terminal.stdout.write(`${told.flatMap((one) => traceLines(one, terminal, Date.now())).join('\n')}\n`);
    });
  return withExamples(command, [
    ['trace 01980f5e-7c2a-7c3b-8d1e-5f6a7b8c9d0e', 'one event, whatever source it is of'],
    ['trace --source shop --at 0:17', 'the event at a place, as "source tail" shows it'],
    ['trace --source shop --sink orders --column order_id=4711', 'events by a value of a mapped column'],
    [
      'trace --source shop --since 10m --json | jq ".[].events[].sinks[].state"',
      'what became of those of the last minutes',
    ],
  ]);
}

/** ISO text; without a zone it is UTC. */
function timeOf(text: string): string {
  const ago = parseDuration(text);
  if (ago.kind === 'duration') return new Date(Date.now() - ago.ms).toISOString();
  const parsed = parseBackfill(text);
  if (typeof parsed === 'object') return new Date(parsed.ms).toISOString();
  throw new InvalidArgumentError(
    'must be a time such as "2026-11-01T00:00", which is UTC unless it says "+01:00" or the like, or how long ago, such as "2h".',
  );
}

function queryOf(eventId: string | undefined, options: Options): TraceQuery {
  const { source, sink, at, column, since, until, limit } = options;
  const equals = column?.indexOf('=') ?? -1;
  if (column !== undefined && (equals < 1 || sink === undefined))
    throw new MillraceError('input.invalid', '"--column" must be "name=value", beside "--sink"');
  if (eventId === undefined && at === undefined && column === undefined && since === undefined && until === undefined)
    throw new MillraceError('input.invalid', 'say which event: its id, "--at", "--column", or "--since"');
  if (eventId === undefined && source === undefined)
    throw new MillraceError('input.invalid', 'without the id of an event "--source" must say of which source');
  return {
    ...(eventId === undefined ? {} : { eventId }),
    ...(at === undefined ? {} : { at }),
    ...(column === undefined || sink === undefined
      ? {}
      : { sinkId: sink, column: column.slice(0, equals), value: column.slice(equals + 1) }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(limit === undefined ? {} : { limit }),
  };
}

async function sourcesOf(client: AdminClient, { branch, source }: Options): Promise<readonly SourceName[]> {
  if (source !== undefined) return [{ branch, sourceId: source }];
  return (await client.listSources(branch)).map(({ sourceId }) => ({ branch, sourceId }));
}

interface Asked {
  readonly name: SourceName;
  readonly query: TraceQuery;
}

/** Asks on until there is enough, or everything that was to be read was; answers all of it as one. */
async function search(
  { terminal, signal }: CommandContext,
  client: AdminClient,
  { name, query }: Asked,
): Promise<TraceShape> {
  const enough = query.limit ?? (query.eventId === undefined ? 10 : 1);
  let answer = await client.traces.trace(name, query);
  let records = answer.search?.records ?? 0;
  const events = [...answer.events];
  while (answer.position !== undefined && events.length < enough) {
    signal.throwIfAborted();
    if (terminal.human) say(terminal, `${name.sourceId}: ${records} records read …`);
    answer = await client.traces.trace(name, { ...query, limit: enough - events.length, position: answer.position });
    records += answer.search?.records ?? 0;
    events.push(...answer.events);
  }
  return { ...answer, events, ...(answer.search === undefined ? {} : { search: { ...answer.search, records } }) };
}
