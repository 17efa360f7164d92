import type { Command } from 'commander';
import type { JobEventShape } from '../api-shapes.ts';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printable } from '../printable.ts';
import { withoutHiddenText } from '../without-hidden-text.ts';
import { followJob } from './follow-job.ts';

interface Options extends ClientOptions {
  readonly follow: boolean;
}

/** `millrace job log JOB` */
export function jobLog(context: CommandContext): Command {
  const command = clientCommand('log', 'Print the log of a job, and of the jobs that it has started')
    .argument('<job>', 'number of the job')
    .option('--follow', 'go on until the job has ended', false)
    .action(async (jobId: string, options: Options) => {
      const { jobs } = await connect(context, options);
      const job = await jobs.get(jobId);
      const tell = printEvent(context, options);
      if (options.follow) await followJob(context, job, { jobs, options, tell });
      else for (const event of await jobs.eventsSince(job.runId, undefined)) tell(event);
    });
  return withExamples(command, [
    ['job log 17', 'what it has said so far'],
    ['job log 17 --follow', 'and what it says from now on'],
    ['job log 17 --json | jq -r .message', 'one object a line, for a program'],
  ]);
}

function printEvent({ terminal }: CommandContext, { json }: Options): (event: JobEventShape) => void {
  return (event) => {
    const { created, type, message } = event;
    const line = json
      ? withoutHiddenText(JSON.stringify(event))
      : `${created}  ${type.padEnd(7)}  ${printable(message)}`;
    terminal.stdout.write(`${line}\n`);
  };
}
