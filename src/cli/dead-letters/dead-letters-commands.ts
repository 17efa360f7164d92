import { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { countDeadLetters } from './count.ts';
import { listDeadLetters } from './list.ts';
import { purgeDeadLetters } from './purge.ts';
import { replayCommands } from './replay.ts';
import { showDeadLetter } from './show.ts';

/** `millrace dead-letters …`; without the name of a command it lists. */
export function deadLettersCommands(context: CommandContext): Command {
  return new Command('dead-letters')
    .description('Dead letters: events that a mapping refused, kept whole, and why')
    .addCommand(listDeadLetters(context), { isDefault: true })
    .addCommand(countDeadLetters(context))
    .addCommand(showDeadLetter(context))
    .addCommand(replayCommands(context))
    .addCommand(purgeDeadLetters(context));
}
