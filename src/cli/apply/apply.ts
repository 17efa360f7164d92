import type { Command } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { agree } from '../agree.ts';
import { clientCommand, withExamples, type CommandContext } from '../command-context.ts';
import { printJson, say } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import { withFiles, type FileOptions } from './file-option.ts';
import type { Step } from './plan.ts';
import { countsText, obstaclesOf, planJson, planText } from './plan-text.ts';
import { readPlan, type ReadPlan } from './read-plan.ts';
import { runSteps } from './run-steps.ts';
import { doingText, doneText } from './step-text.ts';

interface Options extends FileOptions {
  readonly yes: boolean;
}

/** `millrace apply -f FILE` */
export function apply(context: CommandContext): Command {
  const command = withFiles(clientCommand('apply', 'Make sources, sinks, settings and configurations as files say'))
    .option('-y, --yes', 'do it without asking; needed where nobody can be asked', false)
    .addHelpText(
      'after',
      `
It shows what it will do, asks, and does it. What the files do not say of a source, a sink or a configuration has its default: a setting that
is left out is inherited. Applied again, the same files change nothing. When a step is refused, what does not depend on it is
done all the same, and the next apply goes on; so it is with what the plan marks with "!", and the exit code is 1 then. Nothing
is deleted without --prune, tables never are, and their columns change with --alter-tables only.`,
    )
    .action((options: Options) => run(context, options));
  return withExamples(command, [
    ['apply -f shop.yaml', 'show what differs, ask, and change it'],
    ['apply -f sources/ --yes', 'all files of a folder, without asking'],
    ['apply -f shop.yaml --alter-tables', 'and give tables the columns of their sinks'],
    ['apply -f shop.yaml --prune', 'and delete what is in no file'],
    ['export | millrace apply -f - --branch 2 --yes', 'one branch as another'],
  ]);
}

async function run(context: CommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  const read = await readPlan(context, options);
  const { plan } = read;
  if (!options.json) terminal.stdout.write(`${planText(plan, terminal)}\n`);
  const counts = countsText(plan);
  if (plan.steps.length > 0)
    await agree(context, {
      yes: options.yes,
      question: `Do this (${counts})?`,
      otherwise: `Nothing was done (${counts})`,
      inputIsTaken: options.file.includes('-'),
    });
  await carryOut(context, read, options);
}

async function carryOut({ terminal }: CommandContext, { plan, calls }: ReadPlan, { json }: Options): Promise<void> {
  const done: Step[] = [];
  const running = new Set<Step>();
  let ended = 0;
  const doing = (): string => {
    const [first, ...more] = running;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return first === undefined ? '' : `${doingText(first)}${others} (${ended} of ${plan.steps.length} done)`;
  };
  const take = async (step: Step): Promise<void> => {
    running.add(step);
    try {
      await calls.take(step);
      ended += 1;
    } finally {
      running.delete(step);
    }
  };
  const onDone = (step: Step): void => {
    done.push(step);
    if (!json) terminal.stdout.write(`${doneText(step)}\n`);
  };
  try {
    if (plan.steps.length > 0) await waitFor(terminal, doing, runSteps(plan.steps, { take, onDone }));
  } finally {
    const steps = done.map(({ kind, object }) => ({ step: kind, ...object }));
    if (json) printJson(terminal, { ...planJson(plan), done: steps });
  }
  const left = obstaclesOf(plan);
  if (left.length > 0)
    throw new MillraceError('client.differs', `Not everything is as the files say. Left as it is:\n${left.join('\n')}`);
  if (plan.steps.length === 0) say(terminal, 'Everything is as the files say.');
}
