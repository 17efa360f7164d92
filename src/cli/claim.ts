import { Command } from 'commander';
import { withExamples, type CommandContext } from './command-context.ts';
import { waitFor } from './wait-for.ts';

interface Options {
  readonly topology?: string;
  readonly dataDir?: string;
}

/** `millrace claim` */
export function claim(context: CommandContext): Command {
  const command = new Command('claim')
    .description('Mark stores without a mark as those of this catalog')
    .option('--topology <file>', 'roles and servers of a cluster (default: MILLRACE_TOPOLOGY)')
    .option('--data-dir <folder>', 'data folder of a process that does not run (default: MILLRACE_DATA_DIR)')
    .addHelpText(
      'after',
      `
Every store has a mark with the id of the installation that used it first. A start makes the marks by itself, and refuses a store
that lost its mark, holds what the catalog does not know, or is another one than that of the other processes: after a restore or a move,
or with a wrong topology. This command says that it is the right store, with all processes stopped. It never replaces the mark of another installation; whoever takes such a store over removes that mark by hand.`,
    )
    .action(async ({ topology, dataDir }: Options) => {
      const { terminal, product, signal } = context;
      const config = context.config({
        ...(topology === undefined ? {} : { MILLRACE_TOPOLOGY: topology }),
        ...(dataDir === undefined ? {} : { MILLRACE_DATA_DIR: dataDir }),
      });
      const stores = await waitFor(terminal, 'Looking at the stores', product.claimStores(config, signal));
      terminal.stdout.write(`Of this installation: ${stores.join(', ')}\n`);
    });
  return withExamples(command, [
    ['claim --topology topologies/cluster.yaml', 'after a restore, with all processes stopped'],
    ['claim --data-dir ./data', 'the same for a process on its data folder'],
  ]);
}
