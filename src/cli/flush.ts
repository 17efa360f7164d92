import type { Command } from 'commander';
import { MillraceError } from '../core/millrace-error.ts';
import type { TaskShape } from './api-shapes.ts';
import type { AdminClient } from './client.ts';
import type { SinkName } from './object-name.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from './command-context.ts';
import { findSinks } from './find-sinks.ts';
import { adviceOnDead } from './paste/next-step.ts';
import { pastePlace, PasteLines } from './paste/paste-lines.ts';
import { advise, printJson, printTable } from './print.ts';
import { waitFor } from './wait-for.ts';

interface Flushed extends SinkName {
  readonly task?: TaskShape;
  readonly error?: MillraceError;
}

/** `millrace flush SOURCE [SINK]` */
export function flush(context: CommandContext): Command {
  const command = clientCommand('flush', 'Import what is waiting now, and wait until it is in the table')
    .argument('<source>', 'id of the source')
    .argument('[sink]', 'id of the sink (default: all of the source)')
    .action(async (sourceId: string, sinkId: string | undefined, options: ClientOptions) => {
      const { terminal } = context;
      const client = await connect(context, options);
      const sinks = await findSinks(client, { branch: options.branch, sourceId, sinkId });
      const work = sinks.map(async (sink): Promise<Flushed> => {
        try {
          return { ...sink, task: await client.flush(sink) };
        } catch (thrown) {
          return { ...sink, error: MillraceError.fromUnknown(thrown) };
        }
      });
      const text = `Flushing ${sinks.length === 1 ? '1 sink' : `${sinks.length} sinks`}`;
      const flushed = await waitFor(terminal, text, Promise.all(work));
      context.signal.throwIfAborted();
      try {
        report(context, flushed, options.json);
      } finally {
        if (terminal.human && !options.json) await tellOfDead(context, client, { sinks, options });
      }
    });
  return withExamples(command, [
    ['flush shop', 'all sinks of a source'],
    ['flush shop orders && millrace table show in.c-shop.orders', 'what was sent just now, in the table'],
  ]);
}

interface Told {
  readonly sinks: readonly SinkName[];
  readonly options: ClientOptions;
}

/** The table without an event may hold it as a dead letter: a person is told before looking for it. */
async function tellOfDead(context: CommandContext, client: AdminClient, { sinks, options }: Told): Promise<void> {
  const found = await Promise.allSettled(sinks.map((sink) => client.progress(sink)));
  const known = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const advice = adviceOnDead(known, new PasteLines(pastePlace(context, options)));
  if (advice !== undefined) advise(context.terminal, advice);
}

/** Prints what became of each sink, then fails with the first reason, or with `client.unreachable` if that is one. */
function report({ terminal }: CommandContext, flushed: readonly Flushed[], json: boolean): void {
  if (json) {
    const view = flushed.map(({ error, ...rest }) => (error === undefined ? rest : { ...rest, error: error.message }));
    printJson(terminal, view);
  } else {
    printTable(terminal, {
      head: ['sink', 'result'],
      rows: flushed.map(({ sourceId, sinkId, task, error }) => [
        `${sourceId}/${sinkId}`,
        error?.message ?? task?.result ?? 'done',
      ]),
      cut: 'result',
      empty: 'The source has no sinks.',
    });
  }
  const errors = flushed.flatMap(({ error }) => error ?? []);
  const first = errors.find(({ code }) => code === 'client.unreachable') ?? errors[0];
  if (first !== undefined) throw first;
}
