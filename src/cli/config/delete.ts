import type { Command } from 'commander';
import { agree } from '../agree.ts';
import { connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { configurationCommand, nameOf } from './configuration-command.ts';

interface Options extends ClientOptions {
  readonly purge: boolean;
  readonly yes: boolean;
}

/** `millrace config delete COMPONENT CONFIGURATION` */
export function configDelete(context: CommandContext): Command {
  const { terminal } = context;
  const command = configurationCommand('delete', 'Delete a configuration; "config restore" brings it back')
    .option('--purge', 'delete it for good, with its rows and versions; it may be deleted already', false)
    .option('-y, --yes', 'do that without asking; needed where nobody can be asked', false)
    .action(async (componentId: string, configurationId: string, options: Options) => {
      const { configs } = await connect(context, options);
      const name = nameOf(componentId, configurationId, options);
      if (options.purge) {
        const question = `Delete configuration ${configurationId} with its rows and versions for good?`;
        await agree(context, { yes: options.yes, question, otherwise: 'Nothing was deleted' });
        await configs.removeForGood(name);
      } else {
        // Deleting what is deleted would be for good.
        await configs.get(name);
        await configs.remove(name);
      }
      const how = options.purge ? ' for good' : '';
      if (options.json) printJson(terminal, { id: configurationId, isDeleted: true });
      else terminal.stdout.write(`Configuration ${configurationId} has been deleted${how}.\n`);
    });
  return withExamples(command, [
    ['config delete generic-extractor shop', 'its tables stay; it can be restored'],
    ['config delete generic-extractor shop --purge --yes', 'nothing of it is left'],
  ]);
}
