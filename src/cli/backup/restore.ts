import { resolve } from 'node:path';
import { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { printable } from '../printable.ts';
import { printJson } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { copyText } from './copy-text.ts';

interface Options {
  readonly json: boolean;
  readonly dataDir?: string;
}

/** `millrace restore FOLDER` */
export function restore(context: CommandContext): Command {
  const { terminal, product, signal } = context;
  const command = new Command('restore')
    .description('Make a data folder of a backup')
    .argument('<folder>', 'what "backup" has made')
    .option('--json', 'print JSON instead of a sentence', false)
    .option(
      '--data-dir <folder>',
      'the data folder, which must be new or empty (default: MILLRACE_DATA_DIR, else ./data)',
    )
    .addHelpText(
      'after',
      `
Every file is compared with its checksum. What senders were acknowledged after the moment of the backup is not in it: send that again, or take it
from where it came. Run one process on a backup and not two: both would deliver what was not delivered at that moment.`,
    )
    .action(async (from: string, { json, dataDir }: Options) => {
      const config = context.config(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir });
      let state = { bytes: 0, ofBytes: 0 };
      const restoring = product.restore(
        {
          from: resolve(from),
          dataDir: config.dataDir,
          onProgress: ({ bytes, of }) => (state = { bytes, ofBytes: of }),
        },
        signal,
      );
      const { at, version } = await waitFor(terminal, () => copyText('Restoring', state), restoring);
      if (json) return printJson(terminal, { dataDir: config.dataDir, at, version });
      terminal.stdout.write(`${printable(config.dataDir)} is as it was at ${at}: start a process on it.\n`);
    });
  return withExamples(command, [['restore /srv/backups/monday --data-dir ./data', 'into a new data folder']]);
}
