import type { Command } from 'commander';
import type { SourceShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { noSources } from '../paste/next-step.ts';
import { pastePlace, PasteLines } from '../paste/paste-lines.ts';
import { printJson, printTable, type TableText } from '../print.ts';
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
      const lines = new PasteLines(pastePlace(context, options));
      return printTable(context.terminal, deleted ? deletedTable(sources) : activeTable(sources, lines));
    });
  return withExamples(command, [
    ['source list', 'every source; "source show" shows the whole URL of one'],
    ['source list --deleted', 'what "source undelete" can bring back'],
  ]);
}

function activeTable(sources: readonly SourceShape[], lines: PasteLines): TableText {
  return {
    head: ['source', 'type', 'name', 'state', 'url'],
    rows: sources.map((source) => {
      const { sourceId, type, name, disabled, http, otlp } = source;
      const state = disabled === undefined ? 'enabled' : 'disabled';
      return [sourceId, type, name, state, withoutSecret(http?.url ?? otlp?.url ?? '')];
    }),
    cut: 'url',
    empty: noSources(lines),
  };
}

/** A list is shown to others sooner than one source; the secret is the end of the URL. */
function withoutSecret(url: string): string {
  return url.replace(/[^/]+$/, '…');
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
