import type { Command } from 'commander';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { printJson, printTable, say } from '../print.ts';
import { filterOf, lettersCommand, sinceOption, type LetterOptions } from './letter-options.ts';

const mostKinds = 1000;

/** `millrace dead-letters count [SOURCE [SINK]]` */
export function countDeadLetters(context: CommandContext): Command {
  const { terminal } = context;
  const command = sinceOption(lettersCommand('count', 'Count them by sink, reason and column, most first')).action(
    async (sourceId: string | undefined, sinkId: string | undefined, options: LetterOptions) => {
      const { branch, json } = options;
      const client = await connect(context, options);
      const wanted = { ...filterOf([sourceId, sinkId], options), limit: mostKinds };
      const { letters, counts } = await client.letters.counts(branch, wanted);
      if (json) return printJson(terminal, { letters, counts });
      printTable(terminal, {
        head: ['letters', 'sink', 'reason', 'column'],
        rows: counts.map((one) => [one.letters, `${one.sourceId}/${one.sinkId}`, one.reason, one.column]),
        cut: 'column',
        empty: 'There are no dead letters in the table.',
      });
      if (terminal.human && letters > 0) say(terminal, `${letters} dead letters`);
    },
  );
  return withExamples(command, [
    ['dead-letters count', 'what is refused most'],
    ['dead-letters count shop orders --since 1h', 'whether it goes on'],
  ]);
}
