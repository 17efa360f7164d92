import type { Command } from 'commander';
import { componentOf } from '../../core/component.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable } from '../print.ts';

interface Options extends ClientOptions {
  readonly deleted: boolean;
}

/** `millrace config list [COMPONENT]` */
export function configList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the configurations, of one component or of all')
    .argument('[component]', 'only of this component, such as generic-extractor')
    .option('--deleted', 'instead the ones that are deleted and can be restored', false)
    .action(async (component: string | undefined, options: Options) => {
      const { configs } = await connect(context, options);
      const wanted = component === undefined ? undefined : (componentOf(component)?.id ?? component);
      const all = await configs.components(options.branch, options);
      const found = all.filter(({ id }) => wanted === undefined || id === wanted);
      if (options.json) return printJson(context.terminal, found);
      return printTable(context.terminal, {
        head: ['component', 'configuration', 'name', 'state', 'version', 'note'],
        rows: found.flatMap(({ id, configurations }) =>
          configurations.map((one) => [
            id,
            one.id,
            one.name,
            one.isDisabled ? 'disabled' : 'enabled',
            one.version,
            one.changeDescription,
          ]),
        ),
        cut: 'note',
        empty: options.deleted ? 'There are no deleted configurations.' : 'There are no configurations.',
      });
    });
  return withExamples(command, [
    ['config list', 'every configuration'],
    ['config list variables', 'those of one component'],
    ['config list --deleted', 'what "config restore" can bring back'],
  ]);
}
