import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';
import { stateOf } from '../state-of.ts';

/** `millrace source list` */
export function sourceList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the sources').action(async (options: ClientOptions) => {
    const sources = await (await connect(context, options)).listSources(options.branch);
    if (options.json) return printJson(context.terminal, sources);
    return printTable(context.terminal, {
      head: ['source', 'type', 'name', 'state', 'url'],
      rows: sources.map((source) => {
        const { sourceId, type, name, http, otlp } = source;
        return [sourceId, type, name, stateOf(source), http?.url ?? otlp?.url ?? ''];
      }),
      empty: 'There are no sources yet. Make one with: millrace source create NAME',
    });
  });
  return withExamples(command, [['source list', 'every source with the URL that its senders use']]);
}
