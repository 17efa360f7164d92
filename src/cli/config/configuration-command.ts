import type { Command } from 'commander';
import { clientCommand, type ClientOptions } from '../command-context.ts';
import type { ConfigurationName } from './config-client.ts';

/** Fields of a body as a person gave them. */
export const typedFields = {
  name: '--name',
  description: '--description',
  configurationId: '--id',
  rowId: '--id',
  configuration: '--file',
  state: '--state',
  changeDescription: '--note',
  rowsSortOrder: '--order',
};

/** A command that names a configuration. */
export function configurationCommand(name: string, summary: string): Command {
  return clientCommand(name, summary)
    .argument('<component>', 'id of the component, such as generic-extractor')
    .argument('<configuration>', 'id of the configuration');
}

/** The options of a change that a configuration and a row have. */
export function withChange(command: Command): Command {
  return command
    .option('--description <text>', 'a sentence about it')
    .option('--file <file>', 'a file with it as JSON, "-" for standard input; values of keys with # are kept encrypted')
    .option('--state <file>', 'a file with its state as JSON')
    .option('--note <text>', 'what is said of the version');
}

/** The configuration that two arguments name. */
export function nameOf(
  componentId: string,
  configurationId: string,
  { branch }: Pick<ClientOptions, 'branch'>,
): ConfigurationName {
  return { branch, componentId, configurationId };
}
