import { Command } from 'commander';
import type { Config, Environment } from '../config/config.ts';
import type { Product } from '../runtime/product.ts';
import { AdminClient } from './client.ts';
import { findProcess } from './find-process.ts';
import type { Terminal } from './terminal.ts';
import { Transport } from './transport.ts';

/** What every command gets. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly product: Product;
  /** How a person calls this program in the folder where the command works: `npx millrace`. */
  readonly program: string;
  /** A text as it is shown: each page of the documentation by where its file is. Absent: as it is written. */
  readonly withPages?: (text: string) => string;
  /** Aborted when the command must leave. */
  readonly signal: AbortSignal;
  /** Reads the environment, with some variables set by options; `config.invalid` names all that is wrong with it. */
  readonly config: (overrides?: Environment) => Config;
}

export interface ClientOptions {
  readonly branch: string;
  readonly json: boolean;
  readonly dataDir?: string;
}

/** The start of a command that talks to a running process: its name, its summary and the options that all of them have. */
export function clientCommand(name: string, summary: string): Command {
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON instead of a table', false)
    .option('--branch <branch>', 'the namespace of the sources: "default" or a number', 'default')
    .option('--data-dir <folder>', 'data folder of the running process (default: MILLRACE_DATA_DIR)');
}

/** Finds the running process and makes its client. */
export async function connect(
  context: Pick<CommandContext, 'config' | 'signal'>,
  options: Pick<ClientOptions, 'dataDir'>,
): Promise<AdminClient> {
  const overrides = options.dataDir === undefined ? {} : { MILLRACE_DATA_DIR: options.dataDir, MILLRACE_URL: '' };
  return new AdminClient(new Transport(await findProcess(context.config(overrides)), context.signal));
}

/** Examples at the end of a help text; each is a line of what to type and what it does. */
export function withExamples(
  command: Command,
  examples: readonly (readonly [line: string, meaning: string])[],
): Command {
  const lines = examples.map(([line, meaning]) => `  # ${meaning}\n  $ millrace ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n\n')}`);
}
