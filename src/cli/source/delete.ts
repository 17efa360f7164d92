import type { Command } from 'commander';
import { agree } from '../agree.ts';
import type { AdminClient } from '../client.ts';
import { withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';
import type { SourceName } from '../object-name.ts';
import { say } from '../print.ts';
import { cascadeText, readCascade } from './cascade.ts';

interface Options extends ClientOptions {
  readonly cascade: boolean;
  readonly yes: boolean;
}

/** `millrace source delete SOURCE` */
export function sourceDelete(context: CommandContext): Command {
  const command = objectCommand<Options>(context, {
    kind: 'source',
    name: 'delete',
    summary: 'Delete a source and its sinks; what was accepted is still delivered, and the tables stay',
    doing: 'Deleting the source',
    agree: async (client, source, { cascade, yes }) => {
      if (cascade) await agreeToCascade(context, { client, source, yes });
    },
    run: (client, source, { cascade }) => (cascade ? client.removeForGood(source) : client.remove(source)),
  })
    .option('--cascade', 'delete it for good, with all versions and the tables of its sinks', false)
    .option('-y, --yes', 'do that without asking; needed where nobody can be asked', false)
    .addHelpText(
      'after',
      `
Without --cascade "source undelete" brings it back. With --cascade nothing does: it says what goes, and asks. A table that a
sink of another source fills stays.`,
    );
  return withExamples(command, [
    ['source delete shop', 'the tables of its sinks stay'],
    ['source delete shop --cascade', 'show its sinks and tables, ask, and delete them all'],
    ['source delete shop --cascade --yes', 'the same in a script'],
  ]);
}

interface Asked {
  readonly client: AdminClient;
  readonly source: SourceName;
  readonly yes: boolean;
}

async function agreeToCascade(context: CommandContext, { client, source, yes }: Asked): Promise<void> {
  say(context.terminal, cascadeText(await readCascade(client, source)));
  await agree(context, { yes, question: 'Delete all this?', otherwise: 'Nothing was deleted' });
}
