import type { Command } from 'commander';
import type { SinkShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { noSinks } from '../paste/next-step.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { printJson, printTable, type TableText } from '../print.ts';
import { stateOf } from '../state-of.ts';
import { whoOf } from '../who-of.ts';

interface Options extends ClientOptions {
  readonly deleted: boolean;
}

/** `millrace sink list [SOURCE]` */
export function sinkList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the sinks of a source, or of all sources')
    .argument('[source]', 'id of the source')
    .option('--deleted', 'instead the ones that are deleted and can be undeleted', false)
    .action(async (source: string | undefined, options: Options) => {
      const { branch, deleted, json } = options;
      const client = await connect(context, options);
      const sourceIds =
        source === undefined ? (await client.listSources(branch)).map(({ sourceId }) => sourceId) : [source];
      const listed = sourceIds.map((sourceId) =>
        deleted ? client.listDeletedSinks({ branch, sourceId }) : client.listSinks({ branch, sourceId }),
      );
      const sinks = (await Promise.all(listed)).flat();
      if (json) return printJson(context.terminal, sinks);
      if (deleted) return printTable(context.terminal, deletedTable(sinks));
      const lines = new PasteLines(pastePlace(context, options));
      const empty = sinks.length > 0 ? '' : await noSinks(client, { branch, sourceId: source }, lines);
      return printTable(context.terminal, activeTable(sinks, empty));
    });
  return withExamples(command, [
    ['sink list', 'every sink with the table that it fills'],
    ['sink list shop --json', 'the sinks of one source, whole'],
    ['sink list shop --deleted', 'what "sink undelete" can bring back'],
  ]);
}

function activeTable(sinks: readonly SinkShape[], empty: TableText['empty']): TableText {
  return {
    head: ['source', 'sink', 'table', 'columns', 'state'],
    rows: sinks.map((sink) => {
      const { sourceId, sinkId, table } = sink;
      return [sourceId, sinkId, table.tableId, table.mapping.columns.length, stateOf(sink)];
    }),
    empty,
  };
}

function deletedTable(sinks: readonly SinkShape[]): TableText {
  return {
    head: ['source', 'sink', 'table', 'deleted', 'by'],
    rows: sinks.map(({ sourceId, sinkId, table, deleted }) => [
      sourceId,
      sinkId,
      table.tableId,
      deleted?.at ?? '',
      deleted === undefined ? '' : whoOf(deleted.by),
    ]),
    empty: 'There are no deleted sinks. Those of a deleted source come back with it.',
  };
}
