import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';
import { stateOf } from '../state-of.ts';

/** `millrace sink list [SOURCE]` */
export function sinkList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the sinks of a source, or of all sources')
    .argument('[source]', 'id of the source')
    .action(async (source: string | undefined, options: ClientOptions) => {
      const { branch, json } = options;
      const client = await connect(context, options);
      const sourceIds =
        source === undefined ? (await client.listSources(branch)).map(({ sourceId }) => sourceId) : [source];
      const sinks = (await Promise.all(sourceIds.map((sourceId) => client.listSinks({ branch, sourceId })))).flat();
      if (json) return printJson(context.terminal, sinks);
      return printTable(context.terminal, {
        head: ['source', 'sink', 'table', 'columns', 'state'],
        rows: sinks.map((sink) => {
          const { sourceId, sinkId, table } = sink;
          return [sourceId, sinkId, table.tableId, table.mapping.columns.length, stateOf(sink)];
        }),
        empty: 'There are no sinks yet. Make one with: millrace sink create SOURCE NAME --table in.c-BUCKET.TABLE',
      });
    });
  return withExamples(command, [
    ['sink list', 'every sink with the table that it fills'],
    ['sink list shop --json', 'the sinks of one source, whole'],
  ]);
}
