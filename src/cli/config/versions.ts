import type { Command } from 'commander';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseVersionNumber } from '../history/version-number.ts';
import { printJson, printTable } from '../print.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';
import { printJsonText } from './print-configuration.ts';

/** `millrace config versions COMPONENT CONFIGURATION [VERSION]` */
export function configVersions(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('versions', 'List the versions of a configuration, the newest first')
    .argument('[version]', 'number of a version: show what it was', parseVersionNumber)
    .action(
      async (
        componentId: string,
        configurationId: string,
        ...[number, options]: [number | undefined, ClientOptions]
      ) => {
        const { configs } = await connect(context, options);
        const name = nameOf(componentId, configurationId, options);
        if (number !== undefined) return printJsonText(terminal, await configs.versionText(name, number));
        const found = await configs.versions(name);
        if (options.json) return printJson(terminal, found);
        return printTable(terminal, {
          head: ['version', 'when', 'who', 'note'],
          rows: found.map((one) => [one.version, one.created, one.creatorToken.description, one.changeDescription]),
          cut: 'note',
          empty: 'There are no versions.',
        });
      },
    );
  return withExamples(command, [
    ['config versions generic-extractor shop', 'every change of it that is kept'],
    ['config versions generic-extractor shop 2', 'what "config rollback" to version 2 would bring back'],
  ]);
}
