import type { Command } from 'commander';
import { errorCatalogue, type ErrorCode } from '../../core/error-catalogue.ts';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';
import { clientCommand, withExamples, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { withFiles, type FileOptions } from './file-option.ts';
import { countsText, obstaclesOf, planJson, planText } from './plan-text.ts';
import { readPlan } from './read-plan.ts';

/** `millrace diff -f FILE` */
export function diff(context: CommandContext): Command {
  const command = withFiles(clientCommand('diff', 'Show what an apply of the same files would do'))
    .addHelpText(
      'after',
      '\nIt changes nothing. Exit codes: 0 nothing differs, 1 something does, 2 an error, 3 no process answers.',
    )
    .action((options: FileOptions) => run(context, options));
  return withExamples(command, [
    ['diff -f shop.yaml', 'what differs from the file, field by field'],
    ['diff -f sources/ --prune --json', 'for a program, with what is in no file'],
  ]);
}

async function run(context: CommandContext, options: FileOptions): Promise<void> {
  const { terminal } = context;
  const { plan } = await readPlan(context, options).catch(incomparable);
  if (options.json) printJson(terminal, planJson(plan));
  else terminal.stdout.write(`${planText(plan, terminal)}\n`);
  if (plan.steps.length + obstaclesOf(plan).length > 0)
    throw new MillraceError('client.differs', `It is not as the files say: ${countsText(plan)}.`);
}

/** These end a command with a code of their own. */
const keptCodes: readonly ErrorCode[] = ['client.unreachable', 'input.invalid', 'config.invalid'];

/** What else goes wrong must not look like a difference. */
function incomparable(thrown: unknown): never {
  if (isCancellation(thrown)) throw thrown;
  const error = MillraceError.fromUnknown(thrown);
  if (keptCodes.includes(error.code)) throw error;
  const message = `${error.message}\n${errorCatalogue[error.code].action}`;
  throw new MillraceError('client.incomparable', message, { cause: thrown });
}
