import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { withObject } from '../object-command.ts';
import { isSink } from '../object-name.ts';
import { printJson } from '../print.ts';

const texts = {
  source: {
    summary: 'Count what is imported of all sinks of a source anew from here on; tables and progress stay',
    example: ['source clear-statistics shop', 'all of its sinks begin at 0'],
  },
  sink: {
    summary: 'Count what is imported of a sink anew from here on; its table and its progress stay',
    example: ['sink clear-statistics shop orders', '"sink statistics" begins at 0, with what still waits'],
  },
} as const;

/** `millrace source clear-statistics SOURCE` and `millrace sink clear-statistics SOURCE SINK` */
export function clearStatistics(context: CommandContext, kind: 'source' | 'sink'): Command {
  const { terminal } = context;
  const { summary, example } = texts[kind];
  const command = clientCommand('clear-statistics', summary);
  withObject(command, kind, async (object) => {
    const options = command.opts<ClientOptions>();
    await (await connect(context, options)).history.clearStatistics(object);
    const { sourceId } = object;
    const name = isSink(object) ? { sourceId, sinkId: object.sinkId } : { sourceId };
    if (options.json) printJson(terminal, { ...name, isCleared: true });
    else terminal.stdout.write('Statistics have been cleared.\n');
  });
  return withExamples(command, [example]);
}
