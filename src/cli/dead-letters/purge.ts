import type { Command } from 'commander';
import { agree } from '../agree.ts';
import { connect, withExamples, type CommandContext } from '../command-context.ts';
import { parseMoment } from '../parse-moment.ts';
import { printJson, say } from '../print.ts';
import { filterOf, lettersCommand, type LetterOptions } from './letter-options.ts';

interface Options extends LetterOptions {
  readonly before: string;
  readonly yes: boolean;
}

/** `millrace dead-letters purge [SOURCE [SINK]] --before MOMENT` */
export function purgeDeadLetters(context: CommandContext): Command {
  const { terminal } = context;
  const command = lettersCommand('purge', 'Delete old ones for good; it says how many, and asks')
    .requiredOption(
      '--before <moment>',
      'those of events that arrived before that: "30d", so long ago, or a time with its zone',
      parseMoment('--before'),
    )
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .addHelpText('after', '\nIn what "progress" counts their events stay dead.')
    .action(async (sourceId: string | undefined, sinkId: string | undefined, options: Options) => {
      const { branch, before: until, yes, json } = options;
      const { letters: client } = await connect(context, options);
      const query = { ...filterOf([sourceId, sinkId], options), until };
      const { letters } = await client.counts(branch, { ...query, limit: 1 });
      if (letters > 0) {
        say(terminal, `${lettersText(letters)} of events that arrived before ${until}.`);
        await agree(context, { yes, question: 'Delete them?', otherwise: 'Nothing was deleted' });
      }
      let deleted = 0;
      for (let isComplete = letters === 0; !isComplete;) {
        const purged = await client.purge(branch, query);
        deleted += purged.deleted;
        isComplete = purged.isComplete;
        if (!isComplete && terminal.human) say(terminal, `${lettersText(deleted)} deleted`);
      }
      if (json) printJson(terminal, { deleted });
      else terminal.stdout.write(`${lettersText(deleted)} deleted.\n`);
    });
  return withExamples(command, [
    ['dead-letters purge --before 90d', 'all that are older than that'],
    ['dead-letters purge shop orders --reason invalidJson --before 1h --yes', 'what a broken sender has left'],
  ]);
}

function lettersText(letters: number): string {
  return letters === 1 ? '1 dead letter' : `${letters} dead letters`;
}
