import { Command } from 'commander';
import type { MigrationSummary } from '../runtime/product.ts';
import { isCancellation } from '../core/millrace-error.ts';
import { copyText } from './backup/copy-text.ts';
import { clusterTopology } from './cluster-topology.ts';
import { withExamples, type CommandContext } from './command-context.ts';
import { printable } from './printable.ts';
import { printJson, say } from './print.ts';
import { sizeText } from './size-text.ts';
import { waitFor } from './wait-for.ts';

interface Options {
  readonly to?: string;
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly anew: boolean;
  readonly dataDir?: string;
}

/** `millrace migrate --to FILE` */
export function migrate(context: CommandContext): Command {
  const { terminal, product, signal } = context;
  const command = new Command('migrate')
    .description('Move everything that a stopped process has to a cluster')
    .option('--to <file>', 'topology of the cluster (default: MILLRACE_TOPOLOGY)')
    .option('--dry-run', 'look at both sides and say what would be moved; nothing is', false)
    .option('--anew', 'remove what an unfinished migration has left in the cluster, and begin again', false)
    .option('--json', 'print JSON instead of sentences', false)
    .option('--data-dir <folder>', 'data folder of the process (default: MILLRACE_DATA_DIR, else ./data)')
    .addHelpText(
      'after',
      `
Definitions, tokens, jobs, tables, dead letters, and events wherever they are on their way. Stop the process first. The cluster must be empty and
must not run. Run the command again when it was cut off: it goes on where it was. Until it says that everything was moved, the process may be
started again instead; after that only the cluster may be. Run it with the environment of a process of the cluster: it looks for the secrets of the
topology in the same places.`,
    )
    .action(async ({ to, json, dryRun, anew, dataDir }: Options) => {
      const topology = clusterTopology(context, { file: to, purpose: 'move to', option: '--to' });
      const config = context.config(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir });
      let state = { doing: 'Opening both sides', bytes: 0, of: 0 };
      const asked = { config, topology, dryRun, anew, onProgress: (next: typeof state) => void (state = next) };
      const text = (): string => progressText(state);
      const summary = await waitFor(terminal, text, product.migrate(asked, signal)).catch((thrown: unknown) => {
        if (isCancellation(thrown)) say(terminal, interrupted);
        throw thrown;
      });
      if (json) return printJson(terminal, summary);
      terminal.stdout.write(`${sentences(summary, config.dataDir)}\n`);
    });
  return withExamples(command, [
    ['migrate --to topology.yaml --dry-run', 'what would be moved, and what keeps it from being moved'],
    ['migrate --to topology.yaml --data-dir ./data', 'move it'],
  ]);
}

const interrupted =
  'Interrupted. Give the command again: it goes on where it was. Until it says that everything was moved, the process may be started instead.';

function progressText({ doing, bytes, of }: { readonly doing: string; readonly bytes: number; readonly of: number }) {
  if (of > 0) return copyText(doing, { bytes, ofBytes: of });
  return bytes === 0 ? doing : `${doing}: ${sizeText(bytes)}`;
}

function sentences(summary: MigrationSummary, dataDir: string): string {
  const { state, documents, events, eventBytes, files, fileBytes, tables, rows } = summary;
  const what = [
    `${documents} documents`,
    `${events} records of the logs (${sizeText(eventBytes)})`,
    `${files} files (${sizeText(fileBytes)})`,
    `${tables} tables with ${rows} rows`,
  ].join(', ');
  switch (state) {
    case 'planned':
      return `It can be moved: ${what}. Nothing was moved.`;
    case 'moved':
      return `Moved: ${what}.\nStart the processes of the cluster. Nothing starts on ${printable(dataDir)} any more; keep it until you are sure.`;
    case 'moved before':
      return 'Everything had been moved already. Start the processes of the cluster.';
    case 'untold':
      return 'Everything has been moved, and the cluster does not know it yet. Give the command without --dry-run.';
    default:
      return state satisfies never;
  }
}
