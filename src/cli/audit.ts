import type { Command } from 'commander';
import type { AuditEntryShape } from './api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from './command-context.ts';
import { parseCount } from './parse-count.ts';
import { printJson, printTable } from './print.ts';
import { whoOf } from './who-of.ts';

interface Options extends ClientOptions {
  readonly sink?: string;
  readonly operation?: string;
  readonly by?: string;
  readonly limit: number;
}

/** `millrace audit [SOURCE]` */
export function audit(context: CommandContext): Command {
  const command = clientCommand('audit', 'Show who changed what, the newest first; before and after with --json')
    .argument('[source]', 'id of a source; all changes when absent')
    .option('--sink <sink>', 'only of sinks with this id')
    .option('--operation <name>', 'only this operation, for example updateSink')
    .option('--by <token>', 'only what was done with the token that has this id')
    .option('--limit <count>', 'number of entries, up to 100', parseCount('--limit', 100), 20)
    .action(async (sourceId: string | undefined, options: Options) => {
      const { branch, sink: sinkId, operation, by, limit } = options;
      const client = await connect(context, options);
      const entries = await client.listAudit(branch, { sourceId, sinkId, operation, by, limit });
      if (options.json) return printJson(context.terminal, entries);
      return printTable(context.terminal, {
        head: ['at', 'who', 'operation', 'object', 'outcome'],
        rows: entries.map((entry) => [entry.at, whoOf(entry.by), entry.operation, nameOf(entry), outcomeOf(entry)]),
        cut: 'outcome',
        empty: 'Nothing was changed.',
      });
    });
  return withExamples(command, [
    ['audit', 'the last changes'],
    ['audit shop --sink orders --operation disableSink', 'who disabled a sink'],
    ['audit shop --limit 1 --json', 'the last change of a source, with its definition before and after'],
  ]);
}

function nameOf({ object }: AuditEntryShape): string {
  if (object?.kind === 'token') return `token ${object.tokenId ?? ''}`;
  if (object?.kind === 'table') return `table ${object.tableId ?? ''}`;
  if (object?.kind === 'job') return `job ${object.jobId ?? ''}`;
  if (object?.kind === 'configuration' || object?.kind === 'schedule')
    return `${object.kind} ${object.componentId ?? ''}/${object.configurationId ?? ''}`;
  return [object?.sourceId, object?.sinkId].filter((id) => id !== undefined).join('/');
}

function outcomeOf({ outcome, error }: AuditEntryShape): string {
  return error === undefined ? outcome : `${outcome}: ${error}`;
}
