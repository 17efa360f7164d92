import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printJson, say } from '../print.ts';
import { waitFor } from '../wait-for.ts';
import type { JobShape } from '../api-shapes.ts';
import type { JobClient } from './job-client.ts';
import { standOf } from './print-job.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 200;
/** Who runs it sees it within a second, and ends then. */
const patienceMs = 10_000;

/** `millrace job kill JOB` */
export function jobKill(context: CommandContext): Command {
  const command = clientCommand('kill', 'End a job; its tables are not loaded, unless they are already')
    .argument('<job>', 'number of the job')
    .action(async (jobId: string, options: ClientOptions) => {
      const { terminal } = context;
      const { jobs } = await connect(context, options);
      const asked = await jobs.kill(jobId);
      const job = await waitFor(terminal, `Job ${jobId} ends`, ended(context, jobs, asked));
      if (options.json) printJson(terminal, job);
      else say(terminal, job.isFinished ? `Job ${jobId} is ${standOf(job)}.` : `Job ${jobId} was asked to end.`);
    });
  return withExamples(command, [['job kill 17', 'end it']]);
}

async function ended({ signal }: CommandContext, jobs: JobClient, asked: JobShape): Promise<JobShape> {
  let job = asked;
  for (let waited = 0; !job.isFinished && waited < patienceMs; waited += pollMs) {
    await sleep(pollMs, undefined, { signal });
    job = await jobs.get(job.id);
  }
  return job;
}
