import type { Command } from 'commander';
import type { ClientOptions } from '../command-context.ts';

export interface FileOptions extends ClientOptions {
  readonly file: readonly string[];
  readonly prune: boolean;
  readonly alterTables: boolean;
}

/** The options of the commands that take files of declarations. */
export function withFiles(command: Command): Command {
  return command
    .requiredOption('-f, --file <file...>', 'YAML or JSON files, or folders of them; "-" is standard input')
    .option('--prune', 'delete the sources of the branch, and the sinks of sources, that are in no file', false)
    .option(
      '--alter-tables',
      'give the tables of changed sinks their columns; columns that go take their cells along',
      false,
    );
}
