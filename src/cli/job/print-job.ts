import type { JobShape } from '../api-shapes.ts';
import type { CommandContext } from '../command-context.ts';
import { printFields, printTable } from '../print.ts';
import { sizeText } from '../size-text.ts';

/** How it ended, or where it stands. */
export function standOf({ status, phase }: JobShape): string {
  return status === 'processing' ? phase : status;
}

/** The token that it was created with, as a person knows it, or `schedule`. */
export function askedBy({ token }: JobShape): string {
  return token.description === '' ? token.id : token.description;
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

/** How far its run is, in parts of a sentence; none before its first page. */
export function soFarOf({ progress, startTime }: JobShape): readonly string[] {
  if (progress === null) return [];
  const { pages, rows, bytes, time } = progress;
  // Times of the interface are whole seconds.
  const seconds = Math.max(1, (Date.parse(time) - Date.parse(startTime ?? time)) / 1000);
  return [`${pages} pages`, `${rows} rows`, sizeText(bytes), `${Math.round(rows / seconds)} rows/s`];
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
    'asked by': askedBy(job),
    'planned for': job.scheduledFor ?? undefined,
    created: job.createdTime,
    'not before': job.delayedStartTime ?? undefined,
    started: job.startTime ?? undefined,
    ended: job.endTime ?? undefined,
    'held up': job.heldUp ?? undefined,
    attempts: job.attempt > 1 ? job.attempt : undefined,
    seconds: job.durationSeconds,
    found: job.progress === null ? undefined : soFarOf(job).join(', '),
    message: messageOfJob(job) === '' ? undefined : messageOfJob(job),
  });
  if ('output' in job.result && job.result.output.tables.length > 0) printTablesOf(context, job);
}
