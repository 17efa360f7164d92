import type { Command } from 'commander';
import type { ClientOptions } from '../command-context.ts';

export interface FileOptions extends ClientOptions {
  readonly file: readonly string[];
  readonly prune: boolean;
  readonly alterTables: boolean;
  readonly setSecrets: boolean;
}

/** The options of the commands that take files of declarations. */
export function withFiles(command: Command): Command {
  return command
    .requiredOption('-f, --file <file...>', 'YAML or JSON files, or folders of them; "-" is standard input')
    .option(
      '--prune',
      'delete what is in no file: sources and sinks, or configurations, rows and schedules, of which the files say something',
      false,
    )
    .option(
      '--alter-tables',
      'give the tables of changed sinks their columns; columns that go take their cells along',
      false,
    )
    .option(
      '--set-secrets',
      'set the secrets of configurations that are stored already from the environment, too',
      false,
    );
}
