import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, connect, withExamples, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable, say } from '../print.ts';
import { printTrial, sayEarlier } from './print-trial.ts';
import type { ReplayShape, ReplayTarget } from './letter-client.ts';
import { filterOf, sinceOption, whichOptions, type LetterOptions } from './letter-options.ts';

interface Options extends LetterOptions {
  readonly limit?: number;
  readonly wait: boolean;
  readonly dryRun: boolean;
}

const lookEveryMs = 500;
const mostLetters = 1_000_000_000;
const usuallyTried = 20;
const mostTried = 100;

/** `millrace dead-letters replay …`; without the name of a command it begins one. */
export function replayCommands(context: CommandContext): Command {
  return new Command('replay')
    .description('Map dead letters again, by the mapping of now: those that it takes become rows, and are dead no more')
    .addCommand(startReplay(context), { isDefault: true })
    .addCommand(replayStatus(context))
    .addCommand(stopReplay(context));
}

function startReplay(context: CommandContext): Command {
  const { terminal } = context;
  const command = sinceOption(whichOptions(onSink('start', 'Begin a replay, each letter once; it goes on by itself')))
    .option('--limit <n>', 'look at so many at most', parseCount('--limit', mostLetters))
    .option('--dry-run', `show what would become of the first ${mostTried} at most, and change nothing`, false)
    .option('--wait', 'tell how far it is, until it has ended; fails when it fails', false)
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { branch, limit, wait, json, dryRun } = options;
      const { letters: client } = await connect(context, options);
      const target = { branchId: branch, sourceId, sinkId };
      const { sourceId: _, sinkId: __, ...filter } = filterOf([], options);
      if (dryRun) {
        const tried = Math.min(limit ?? usuallyTried, mostTried);
        return printTrial(context.terminal, await client.tryReplay(target, { ...filter, limit: tried }), json);
      }
      let replay = await client.replay(target, { ...filter, ...(limit === undefined ? {} : { limit }) });
      for (let isOver = !wait; !isOver; isOver = replay.state !== 'running') {
        if (terminal.human) say(terminal, `${replay.seen} of ${replay.matching} looked at, ${replay.rows} are rows`);
        await sleep(lookEveryMs);
        const last = await client.lastReplay(target);
        if (last !== undefined && last.id !== replay.id)
          throw new MillraceError('client.refused', 'the replay has ended, and another one was begun since');
        replay = last ?? replay;
      }
      print(context, { replay, target, json });
      if (replay.state === 'failed') throw new MillraceError('client.refused', failureText(replay));
    });
  return withExamples(command, [
    ['dead-letters replay shop orders --dry-run', 'the rows that it would make'],
    ['dead-letters replay shop orders --wait', 'after the mapping was mended'],
    ['dead-letters replay shop orders --reason templateError --since 1d', 'some of them'],
  ]);
}

function replayStatus(context: CommandContext): Command {
  const command = onSink('status', 'Tell how far the last replay of a sink is').action(
    async (sourceId: string, sinkId: string, options: LetterOptions) => {
      const { letters: client } = await connect(context, options);
      const target = { branchId: options.branch, sourceId, sinkId };
      const replay = await client.lastReplay(target);
      if (replay !== undefined) {
        print(context, { replay, target, json: options.json });
        if (replay.failure !== null && !options.json) say(context.terminal, failureText(replay));
        return;
      }
      if (options.json) printJson(context.terminal, null);
      else context.terminal.stdout.write('No dead letters of this sink were replayed yet.\n');
    },
  );
  return withExamples(command, [['dead-letters replay status shop orders', 'how many are rows by now']]);
}

function stopReplay(context: CommandContext): Command {
  const command = onSink('stop', 'Stop the replay of a sink; what it has replayed stays').action(
    async (sourceId: string, sinkId: string, options: LetterOptions) => {
      const { letters: client } = await connect(context, options);
      const target = { branchId: options.branch, sourceId, sinkId };
      print(context, { replay: await client.stopReplay(target), target, json: options.json });
    },
  );
  return withExamples(command, [['dead-letters replay stop shop orders', 'before the next batch']]);
}

function onSink(name: string, summary: string): Command {
  return clientCommand(name, summary).argument('<source>', 'id of the source').argument('<sink>', 'id of the sink');
}

interface Printed {
  readonly replay: ReplayShape;
  readonly target: ReplayTarget;
  readonly json: boolean;
}

function print({ terminal }: CommandContext, { replay, target, json }: Printed): void {
  if (json) return printJson(terminal, replay);
  const { state, matching, seen, rows, filtered, refused, partial } = replay;
  printTable(terminal, {
    head: ['sink', 'state', 'letters', 'looked at', 'rows', 'filtered', 'still refused', 'not whole'],
    rows: [[`${target.sourceId}/${target.sinkId}`, state, matching, seen, rows, filtered, refused, partial]],
    empty: '',
  });
  sayEarlier(terminal, replay.earlier);
}

function failureText({ failure }: ReplayShape): string {
  return failure === null ? 'the replay failed' : `the replay failed: ${failure.message} (${failure.code})`;
}
