import type { Command } from 'commander';
import type { FileShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';
import { sizeText } from '../size-text.ts';

interface Options extends ClientOptions {
  readonly failed: boolean;
}

/** `millrace sink files SOURCE SINK` */
export function sinkFiles(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand(
    'files',
    'List what was imported together, what is being imported, and what waits for it',
  )
    .argument('<source>', 'id of the source')
    .argument('<sink>', 'id of the sink')
    .option('--failed', 'only those whose import failed and is tried again', false)
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { branch, failed, json } = options;
      const client = await connect(context, options);
      const files = await client.history.files({ branch, sourceId, sinkId }, { failed });
      if (json) return printJson(terminal, files);
      return printTable(terminal, {
        head: ['state', 'opened', 'rows', 'dead letters', terminal.human ? 'size' : 'bytes', 'import', 'retry'],
        rows: files.map(({ state, openedAt, statistics: { total }, importNumber, ...retry }) => [
          state,
          openedAt,
          total?.recordsCount ?? 0,
          total?.deadLettersCount ?? 0,
          terminal.human ? sizeText(total?.uncompressedSize ?? 0) : (total?.uncompressedSize ?? 0),
          importNumber ?? '',
          retryText(retry),
        ]),
        cut: 'retry',
        empty: failed ? 'No import is tried again.' : 'There are no files.',
      });
    });
  return withExamples(command, [
    ['sink files shop orders', 'the imported ones first, those that do not get on last'],
    ['sink files shop orders --failed', 'why an import does not go on, and when it is tried again'],
  ]);
}

function retryText({ retryAttempt, retryReason = '', retryAfter }: Partial<FileShape>): string {
  if (retryAttempt === undefined) return '';
  const after = retryAfter === undefined ? '' : `; next try ${retryAfter}`;
  return `failed ${retryAttempt === 1 ? 'once' : `${retryAttempt} times`}: ${retryReason}${after}`;
}
