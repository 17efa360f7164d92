import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson } from '../print.ts';
import { printJob } from './print-job.ts';

/** `millrace job show JOB` */
export function jobShow(context: CommandContext): Command {
  const command = clientCommand('show', 'Show a job: where it stands, what it ended with, the tables that it loaded')
    .argument('<job>', 'number of the job')
    .action(async (jobId: string, options: ClientOptions) => {
      const { jobs } = await connect(context, options);
      const job = await jobs.get(jobId);
      if (options.json) printJson(context.terminal, job);
      else printJob(context, job);
    });
  return withExamples(command, [['job show 17', 'one job']]);
}
