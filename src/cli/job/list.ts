import type { Command } from 'commander';
import { clientCommand, connect, withExamples, type ClientOptions, type CommandContext } from '../command-context.ts';
import { parseCount } from '../parse-count.ts';
import { printJson, printTable } from '../print.ts';
import { askedBy, messageOfJob, standOf } from './print-job.ts';

interface Options extends ClientOptions {
  readonly limit: number;
  readonly status?: string;
  readonly config?: string;
  readonly scheduled?: boolean;
}

/** `millrace job list` */
export function jobList(context: CommandContext): Command {
  const command = clientCommand('list', 'List the jobs, the newest first')
    .option('--limit <n>', 'so many', parseCount('--limit', 500), 20)
    .option('--status <status>', 'only these: processing, waiting, success, warning, error, terminated or cancelled')
    .option('--config <id>', 'only those of this configuration')
    .option('--scheduled', 'only those that a schedule asked for')
    .option('--no-scheduled', 'only the others')
    .action(async (options: Options) => {
      const { limit, status, config, scheduled } = options;
      const { jobs } = await connect(context, options);
      const asked = {
        limit,
        ...(status === undefined ? {} : { status }),
        ...(config === undefined ? {} : { config }),
        ...(scheduled === undefined ? {} : { isScheduled: scheduled ? ('true' as const) : ('false' as const) }),
      };
      const found = await jobs.search(asked);
      if (options.json) return printJson(context.terminal, found);
      return printTable(context.terminal, {
        head: ['job', 'state', 'configuration', 'asked by', 'created', 'seconds', 'message'],
        rows: found.map((job) => [
          job.id,
          standOf(job),
          job.config ?? '(comes with the job)',
          askedBy(job),
          job.createdTime,
          job.durationSeconds,
          messageOfJob(job),
        ]),
        cut: 'message',
        empty: 'There are no jobs.',
      });
    });
  return withExamples(command, [
    ['job list', 'the last jobs'],
    ['job list --status error --config shop', 'those of a configuration that failed'],
    ['job list --scheduled --status error', 'those of the night that failed'],
  ]);
}
