import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { parseMoment } from '../parse-moment.ts';
import { printJson, printTable, say } from '../print.ts';
import { printTrial } from './print-trial.ts';
import type { ReplayShape, ReplayTarget } from './letter-client.ts';
import type { LetterOptions } from './letter-options.ts';

interface Options extends LetterOptions {
  readonly limit?: number;
  readonly wait: boolean;
  readonly dryRun: boolean;
}

const lookEveryMs = 500;
const mostLetters = 1_000_000_000;
const usuallyTried = 20;
const mostTried = 100;

/** `millrace dead-letters replay SOURCE SINK` */
export function replayDeadLetters(context: CommandContext): Command {
  const { terminal } = context;
  const command = onSink(
    'replay',
    'Map them again, by the mapping of now: those that it takes become rows, each once, and are dead no more',
  )
    .option('--reason <reason>', 'only those with this reason, for example templateError')
    .option('--column <column>', 'only those whose cell of this column could not be made')
    .option('--since <moment>', 'only of events that arrived then or later: "90m", or a time', parseMoment('--since'))
    .option('--limit <n>', 'look at so many at most', parseCount('--limit', mostLetters))
    .option('--dry-run', `show what would become of the first ${mostTried} at most, and change nothing`, false)
    .option('--wait', 'tell how far it is, until it has ended', false)
    .action(async (sourceId: string, sinkId: string, options: Options) => {
      const { branch, reason, column, since, limit, wait, json, dryRun } = options;
      const { letters: client } = await connect(context, options);
      const target = { branchId: branch, sourceId, sinkId };
      const named = { reason, column, since, limit };
      const body = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
      if (dryRun) {
        const tried = Math.min(limit ?? usuallyTried, mostTried);
        return printTrial(context.terminal, await client.tryReplay(target, { ...body, limit: tried }), json);
      }
      let replay = await client.replay(target, body);
      for (let isOver = !wait; !isOver; isOver = replay.state !== 'running') {
        if (terminal.human) say(terminal, `${replay.seen} of ${replay.matching} looked at, ${replay.rows} are rows`);
        await sleep(lookEveryMs);
        replay = (await client.lastReplay(target)) ?? replay;
      }
      print(context, { replay, target, json });
    });
  return withExamples(command, [
    ['dead-letters replay shop orders --dry-run', 'the rows that it would make'],
    ['dead-letters replay shop orders --wait', 'after the mapping was mended'],
    ['dead-letters replay shop orders --reason templateError --since 1d', 'some of them'],
  ]);
}

/** `millrace dead-letters replay-status SOURCE SINK` */
export function replayStatus(context: CommandContext): Command {
  const command = onSink('replay-status', 'Tell how far the last replay of a sink is').action(
    async (sourceId: string, sinkId: string, options: LetterOptions) => {
      const { letters: client } = await connect(context, options);
      const target = { branchId: options.branch, sourceId, sinkId };
      const replay = await client.lastReplay(target);
      if (replay !== undefined) return print(context, { replay, target, json: options.json });
      if (options.json) printJson(context.terminal, null);
      else context.terminal.stdout.write('No dead letters of this sink were replayed yet.\n');
    },
  );
  return withExamples(command, [['dead-letters replay-status shop orders', 'how many are rows by now']]);
}

/** `millrace dead-letters replay-stop SOURCE SINK` */
export function stopReplay(context: CommandContext): Command {
  const command = onSink('replay-stop', 'Stop the replay of a sink; what it has replayed stays').action(
    async (sourceId: string, sinkId: string, options: LetterOptions) => {
      const { letters: client } = await connect(context, options);
      const target = { branchId: options.branch, sourceId, sinkId };
      print(context, { replay: await client.stopReplay(target), target, json: options.json });
    },
  );
  return withExamples(command, [['dead-letters replay-stop shop orders', 'before the next batch']]);
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
  const { state, failure, matching, seen, rows, filtered, refused, partial } = replay;
  printTable(terminal, {
    head: ['sink', 'state', 'letters', 'looked at', 'rows', 'filtered', 'still refused', 'not whole'],
    rows: [[`${target.sourceId}/${target.sinkId}`, state, matching, seen, rows, filtered, refused, partial]],
    empty: '',
  });
  if (failure !== null) say(terminal, failure.message);
}
