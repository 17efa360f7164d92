import type { JobShape } from '../api-shapes.ts';
import type { CommandContext } from '../command-context.ts';
import { printFields, printTable } from '../print.ts';

/** How it ended, or where it stands. */
export function standOf({ status, phase }: JobShape): string {
  return status === 'processing' ? phase : status;
}

/** What it ended with; nothing before. */
export function messageOfJob({ result }: JobShape): string {
  return 'message' in result ? result.message : '';
}

/** The tables that it has loaded, to standard output. */
export function printTablesOf({ terminal }: Pick<CommandContext, 'terminal'>, { result }: JobShape): void {
  const tables = 'output' in result ? result.output.tables : [];
  const rows = tables.map(({ id, rowsCount, columns }) => [id, rowsCount, columns.length]);
  printTable(terminal, { head: ['table', 'rows', 'columns'], rows, empty: 'No table: nothing was found.' });
}

/** All that there is to say of a job. */
export function printJob(context: Pick<CommandContext, 'terminal'>, job: JobShape): void {
  const values = job.variableValuesData.values.map(({ name, value }) => `${name}=${value}`);
  printFields(context.terminal, {
    job: job.id,
    state: standOf(job),
    component: job.component,
    configuration: job.config ?? undefined,
    rows: job.configRowIds.length === 0 ? undefined : job.configRowIds.join(', '),
    mode: job.mode,
    values: values.length === 0 ? undefined : values.join(', '),
    created: job.createdTime,
    'not before': job.delayedStartTime ?? undefined,
    started: job.startTime ?? undefined,
    ended: job.endTime ?? undefined,
    attempts: job.attempt > 1 ? job.attempt : undefined,
    seconds: job.durationSeconds,
    message: messageOfJob(job) === '' ? undefined : messageOfJob(job),
  });
  if ('output' in job.result && job.result.output.tables.length > 0) printTablesOf(context, job);
}
