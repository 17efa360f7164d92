import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable } from '../print.ts';
import { sizeText } from '../size-text.ts';

interface Options extends ClientOptions {
  readonly limit: number;
}

/** `millrace sink imports SOURCE SINK` */
export function sinkImports(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('imports', 'List the last imports of a sink into its table, the newest first')
    .argument('<source>', 'id of the source')
    .argument('<sink>', 'id of the sink')
    .option('--limit <count>', 'number of imports, up to 100', parseCount('--limit', 100), 20)
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { branch, limit, json } = options;
      const client = await connect(context, options);
      const imports = await client.history.imports({ branch, sourceId, sinkId }, limit);
      if (json) return printJson(terminal, imports);
      return printTable(terminal, {
        head: [
          'import',
          'finished',
          'verdict',
          'rows',
          'dead letters',
          'replayed',
          terminal.human ? 'size' : 'bytes',
          'ms',
        ],
        rows: imports.map(({ number, finishedAt, verdict, rows, dead, replay, bytes, durationMs }) => [
          number,
          finishedAt,
          verdict,
          rows,
          dead,
          replay?.letters ?? 0,
          terminal.human ? sizeText(bytes) : bytes,
          durationMs,
        ]),
        empty: 'Nothing was imported yet.',
      });
    });
  return withExamples(command, [
    ['sink imports shop orders', 'when which rows came into the table, and how long that took'],
    ['sink imports shop orders --limit 1 --json', 'the last one, whole'],
  ]);
}
