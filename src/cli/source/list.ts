import type { Command } from 'commander';
import type { SourceShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable, type TableText } from '../print.ts';
import { stateOf } from '../state-of.ts';
import { whoOf } from '../who-of.ts';

interface Options extends ClientOptions {
  readonly deleted: boolean;
}

/** `millrace source list` */
export function sourceList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the sources')
    .option('--deleted', 'instead the ones that are deleted and can be undeleted', false)
    .action(async (options: Options) => {
      const { branch, deleted, json } = options;
      const client = await connect(context, options);
      const sources = deleted ? await client.listDeletedSources(branch) : await client.listSources(branch);
      if (json) return printJson(context.terminal, sources);
      return printTable(context.terminal, deleted ? deletedTable(sources) : activeTable(sources));
    });
  return withExamples(command, [
    ['source list', 'every source with the URL that its senders use'],
    ['source list --deleted', 'what "source undelete" can bring back'],
  ]);
}

function activeTable(sources: readonly SourceShape[]): TableText {
  return {
    head: ['source', 'type', 'name', 'state', 'url'],
    rows: sources.map((source) => {
      const { sourceId, type, name, http, otlp } = source;
      return [sourceId, type, name, stateOf(source), http?.url ?? otlp?.url ?? ''];
    }),
    empty: 'There are no sources yet. Make one with: millrace source create NAME',
  };
}

function deletedTable(sources: readonly SourceShape[]): TableText {
  return {
    head: ['source', 'type', 'name', 'deleted', 'by'],
    rows: sources.map(({ sourceId, type, name, deleted }) => [
      sourceId,
      type,
      name,
      deleted?.at ?? '',
      deleted === undefined ? '' : whoOf(deleted.by),
    ]),
    empty: 'There are no deleted sources.',
  };
}
