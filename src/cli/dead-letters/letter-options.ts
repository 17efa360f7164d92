import type { Command } from 'commander';
import { clientCommand, type ClientOptions } from '../command-context.ts';
import { parseMoment } from '../parse-moment.ts';
import type { LetterFilter } from './letter-client.ts';

export interface LetterOptions extends ClientOptions {
  readonly reason?: string;
  readonly column?: string;
  readonly since?: string;
}

/** Of a source, and of a sink of it, as far as they were typed. */
export type LetterNames = readonly [sourceId?: string | undefined, sinkId?: string | undefined];

/** The start of a command on dead letters: whose they are, and which. */
export function lettersCommand(name: string, summary: string): Command {
  const command = clientCommand(name, summary)
    .argument('[source]', 'id of the source (default: all)')
    .argument('[sink]', 'id of the sink (default: all of the source)');
  return whichOptions(command);
}

/** What `--reason` and `--column` mean. */
export function whichOptions(command: Command): Command {
  return command
    .option('--reason <reason>', 'only those with this reason, for example templateError')
    .option('--column <column>', 'only those whose cell of this column could not be made');
}

/** What `--since` means. */
export function sinceOption(command: Command): Command {
  return command.option(
    '--since <moment>',
    'only of events that arrived then or later: "90m", so long ago, or a time with its zone',
    parseMoment('--since'),
  );
}

/** What was typed, as the API takes it. */
export function filterOf([sourceId, sinkId]: LetterNames, { reason, column, since }: LetterOptions): LetterFilter {
  return {
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(sinkId === undefined ? {} : { sinkId }),
    ...(reason === undefined ? {} : { reason }),
    ...(column === undefined ? {} : { column }),
    ...(since === undefined ? {} : { since }),
  };
}
