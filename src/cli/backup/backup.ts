import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { printable } from '../printable.ts';
import { printJson } from '../print.ts';
import { sizeText } from '../size-text.ts';
import { waitFor } from '../wait-for.ts';
import type { BackupClient, BackupShape } from './backup-client.ts';
import { copyText } from './copy-text.ts';

interface Options {
  readonly json: boolean;
  readonly dataDir?: string;
}

const pollMs = 300;

/** `millrace backup FOLDER` */
export function backup(context: CommandContext): Command {
  const { terminal, signal } = context;
  const command = new Command('backup')
    .description('Copy everything that a running process has into a new folder')
    .argument('<folder>', 'made by this; it must not be there yet')
    .option('--json', 'print JSON instead of a sentence', false)
    .option('--data-dir <folder>', 'data folder of the running process (default: MILLRACE_DATA_DIR)')
    .addHelpText(
      'after',
      `
The copy shows one moment: events are taken, mapped and staged meanwhile, and imports wait while the tables are copied. "restore" makes a data
folder of it. It holds the root token and the key of secrets, so keep it as you keep the data folder. The process writes it: with MILLRACE_URL the
folder is on the machine where that process runs. A cluster is backed up with the tools of its servers.`,
    )
    .action(async (folder: string, options: Options) => {
      const { backups } = await connect(context, options);
      const to = resolve(folder);
      let state = await backups.start(to);
      const text = (): string => copyText('Copying', state);
      const stop = (): void => void backups.stop().catch(() => undefined);
      signal.addEventListener('abort', stop, { once: true });
      const copied = await waitFor(terminal, text, followed(backups, { signal, to, seen: (next) => (state = next) }));
      if (options.json) return printJson(terminal, copied);
      terminal.stdout.write(
        `${printable(to)} has everything as of ${copied.at ?? copied.startedAt}: ${sizeText(copied.bytes)}.\n`,
      );
    });
  return withExamples(command, [
    ['backup /srv/backups/monday', 'while it runs'],
    ['backup "/srv/backups/$(date +%F)" --json', 'in a nightly job'],
  ]);
}

interface Following {
  readonly signal: AbortSignal;
  readonly to: string;
  readonly seen: (state: BackupShape) => void;
}

/** Resolves when it is done; `client.refused` when it failed or was stopped. */
async function followed(backups: BackupClient, { signal, to, seen }: Following): Promise<BackupShape> {
  for (;;) {
    await sleep(pollMs, undefined, { signal });
    const state = await backups.last();
    seen(state);
    if (state.to !== to) throw new MillraceError('client.refused', 'The process makes another backup by now.');
    if (state.state === 'done') return state;
    if (state.state !== 'running')
      throw new MillraceError('client.refused', `The backup was not made: ${state.error ?? 'somebody stopped it'}`);
  }
}
