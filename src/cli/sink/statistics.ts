import type { Command } from 'commander';
import type { LevelShape, StatisticsShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, printTable, type Cell } from '../print.ts';
import { sizeText } from '../size-text.ts';

/** `millrace sink statistics SOURCE SINK` */
export function sinkStatistics(context: CommandContext): Command {
  const { terminal } = context;
  const command = clientCommand('statistics', 'Show how many rows and bytes of a sink stand at which level')
    .argument('<source>', 'id of the source')
    .argument('<sink>', 'id of the sink')
    .addHelpText(
      'after',
      `
Levels: local is accepted and not staged, staging waits for its import, target is in the table since the sink was created or
its statistics were cleared. Sizes are those of the rows as CSV. For a proof that no event is missing: "millrace progress".`,
    )
    .action(async (sourceId: string, sinkId: string, options: ClientOptions) => {
      const client = await connect(context, options);
      const statistics = await client.history.statistics({ branch: options.branch, sourceId, sinkId });
      if (options.json) return printJson(terminal, statistics);
      return printTable(terminal, {
        head: ['level', 'rows', 'dead letters', terminal.human ? 'size' : 'bytes', 'first', 'last'],
        rows: levelsOf(statistics).map(([name, level]) => levelCells(name, level, terminal.human)),
        empty: 'There are no statistics.',
      });
    });
  return withExamples(command, [
    ['sink statistics shop orders', 'what is in its table, and what is on the way'],
    ['sink statistics shop orders --json | jq .total.recordsCount', 'one number, for a script'],
  ]);
}

function levelsOf({ levels, total }: StatisticsShape): readonly (readonly [string, LevelShape])[] {
  const { local, staging, target } = levels;
  const known = Object.entries({ local, staging, target, total });
  return known.filter((entry): entry is [string, LevelShape] => entry[1] !== undefined);
}

function levelCells(name: string, level: LevelShape, human: boolean): readonly Cell[] {
  const { recordsCount, deadLettersCount, uncompressedSize, firstRecordAt = '', lastRecordAt = '' } = level;
  const size = human ? sizeText(uncompressedSize) : uncompressedSize;
  return [name, recordsCount, deadLettersCount, size, firstRecordAt, lastRecordAt];
}
