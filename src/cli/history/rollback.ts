import type { Command } from 'commander';
import { withExamples, type CommandContext } from '../command-context.ts';
import { objectCommand } from '../object-command.ts';
import { parseVersionNumber } from './version-number.ts';

const texts = {
  source: {
    summary: 'Make a source as one of its versions was; its URL stays, unless the type was another one',
    example: ['source rollback shop 2', 'a new version, like version 2'],
  },
  sink: {
    summary: 'Make a sink as one of its versions was; rows that are made from now on follow it',
    example: ['sink rollback shop orders 2', 'columns, table and settings of version 2, as a new version'],
  },
} as const;

/** `millrace source rollback SOURCE VERSION` and `millrace sink rollback SOURCE SINK VERSION` */
export function rollback(context: CommandContext, kind: 'source' | 'sink'): Command {
  const { summary, example } = texts[kind];
  const command: Command = objectCommand(context, {
    kind,
    name: 'rollback',
    summary,
    doing: `Rolling the ${kind} back`,
    run: (client, object) => client.history.rollback(object, Number(command.args.at(-1))),
  }).argument('<version>', `its number, as "${kind} versions" lists it`, parseVersionNumber);
  return withExamples(command, [example]);
}
