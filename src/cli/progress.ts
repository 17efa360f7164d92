import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { MillraceError } from '../core/millrace-error.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from './command-context.ts';
import type { RankedBy } from './api-shapes.ts';
import type { AdminClient } from './client.ts';
import { findSinks } from './find-sinks.ts';
import { adviceOnDead, adviceText, noSinks } from './paste/next-step.ts';
import { parseCount } from './parse-count.ts';
import { pastePlace, PasteLines } from './paste/paste-lines.ts';
import { printJson } from './print.ts';
import { byOption, printRanking } from './progress-ranking.ts';
import type { ProgressShape } from './progress-shape.ts';
import { progressText } from './progress-text.ts';

interface Options extends ClientOptions {
  readonly watch: boolean;
  readonly by?: RankedBy;
  readonly limit?: number;
}

interface Asked {
  readonly sourceId: string | undefined;
  readonly sinkId?: string | undefined;
  readonly options: Options;
}

const watchMs = 1000;
const usual = 20;
const most = 100;
const clearScreen = '\u001b[H\u001b[2J';

/** `millrace progress [SOURCE [SINK]]` */
export function progress(context: CommandContext): Command {
  const { signal } = context;
  const command = clientCommand('progress', 'Show where every accepted event is, and that none is missing')
    .argument('[source]', 'id of the source (default: all)')
    .argument('[sink]', 'id of the sink (default: all of the source)')
    .addOption(byOption())
    .option('--limit <n>', 'with --by: how many (default: 20)', parseCount('--limit', most))
    .option('--watch', 'show it again every second, until Ctrl-C', false)
    .action(async (sourceId: string | undefined, sinkId: string | undefined, options: Options) => {
      const client = await connect(context, options);
      for (;;) {
        if (options.by !== undefined) await rank(client, options.by, { sourceId, options });
        else await showAll(client, { sourceId, sinkId, options });
        if (!options.watch) return;
        await sleep(watchMs, undefined, { signal });
      }
    });
  return withExamples(command, [
    ['progress', 'the numbers of every sink'],
    ['progress shop orders --watch', 'one sink, again every second'],
    ['progress --by lagSeconds', 'the sinks that are most behind'],
    ['progress --json | jq ".[].partitions"', 'the numbers by partition'],
  ]).addHelpText(
    'after',
    `
accepted = rows + staged + in flight + dead + filtered + holes + given up + none, exactly. "missing" is what is left of
that sum; anything but 0 is a defect.`,
  );

  async function showAll(client: AdminClient, { sourceId, sinkId, options }: Asked): Promise<void> {
    const sinks = await findSinks(client, { branch: options.branch, sourceId, sinkId });
    const found = await Promise.all(sinks.map((sink) => client.progress(sink)));
    if (sinks.length === 0 && context.terminal.human && !options.json) await advise(client, { sourceId, options });
    else show(context, found, options);
  }

  async function rank(client: AdminClient, by: RankedBy, { sourceId, options }: Asked): Promise<void> {
    const { branch, json, watch, limit = usual } = options;
    if (sourceId !== undefined) throw new MillraceError('input.invalid', '--by is of all sinks: leave out the source.');
    const ranking = await client.ranking(branch, { by, limit });
    if (json) return printJson(context.terminal, ranking);
    if (watch && context.terminal.human) context.terminal.stdout.write(clearScreen);
    printRanking(context.terminal, ranking);
  }

  async function advise(client: AdminClient, { sourceId, options }: Asked): Promise<void> {
    const lines = new PasteLines(pastePlace(context, options));
    const advice = await noSinks(client, { branch: options.branch, sourceId }, lines);
    context.terminal.stdout.write(`${options.watch ? clearScreen : ''}${adviceText(advice)}\n`);
  }

  function show({ terminal }: CommandContext, found: readonly ProgressShape[], options: Options): void {
    const { watch, json } = options;
    if (json && watch) terminal.stdout.write(`${JSON.stringify(found)}\n`);
    else if (json) printJson(terminal, found);
    else terminal.stdout.write(`${watch && terminal.human ? clearScreen : ''}${progressText(found, terminal)}\n`);
    const dead =
      terminal.human && !json ? adviceOnDead(found, new PasteLines(pastePlace(context, options))) : undefined;
    if (dead !== undefined) terminal.stdout.write(`${adviceText(dead)}\n`);
  }
}
