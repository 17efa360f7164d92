import { MillraceError } from '../../core/millrace-error.ts';
import type { JobEventShape, JobShape } from '../api-shapes.ts';
import { connect, type ClientOptions, type CommandContext } from '../command-context.ts';
import { printable } from '../printable.ts';
import { printJson, say } from '../print.ts';
import { namedValue } from '../variables/named-value.ts';
import { followJob } from './follow-job.ts';
import { messageOfJob, printTablesOf, standOf } from './print-job.ts';

export interface StoredRunOptions extends ClientOptions {
  /** Id of the configuration. */
  readonly config: string;
  readonly component: string;
  readonly var: readonly string[];
}

/** So long an answer to a request for the end of a job is waited for. */
const patienceMs = 10_000;

/** Asks the running product for a job of a stored configuration, and follows it to its end. */
export async function runStored(context: CommandContext, options: StoredRunOptions): Promise<void> {
  const { terminal } = context;
  const values = options.var.map(namedValue).map(([name, value]) => ({ name, value }));
  const { jobs } = await connect(context, options);
  const { component, config, branch: branchId } = options;
  const variableValuesData = values.length === 0 ? undefined : { values };
  const asked = await jobs.create({ component, config, branchId, variableValuesData });
  say(terminal, `Job ${asked.id} was asked for.`);
  let why = '';
  const tell = (event: JobEventShape): void => {
    // Why the job ended is what the command ends with.
    if (event.type === 'error' && event.params.jobId === asked.id) why = event.message;
    else say(terminal, lineOf(event));
  };
  const kill = async (): Promise<void> => {
    const { jobs: still } = await connect({ config: context.config, signal: AbortSignal.timeout(patienceMs) }, options);
    await still.kill(asked.id);
  };
  const job = await followJob(context, asked, { jobs, options, tell, kill });
  if (options.json) printJson(terminal, job);
  const failure = failureOf(job, why);
  if (failure !== undefined) throw failure;
  if (!options.json) printTablesOf(context, job);
}

function lineOf({ type, message }: JobEventShape): string {
  return type === 'info' || type === 'success'
    ? printable(message)
    : `${type === 'warn' ? 'warning' : type}: ${printable(message)}`;
}

/** Undefined when it has done what was asked. */
function failureOf(job: JobShape, why: string): MillraceError | undefined {
  const message = why === '' ? messageOfJob(job) : why;
  switch (job.status) {
    case 'success':
    case 'warning':
      return undefined;
    case 'error': {
      if ('error' in job.result && job.result.error?.type === 'user')
        return new MillraceError('client.extractionRefused', message);
      const advice = 'Look into the log of the product, and run the configuration again.';
      return new MillraceError('client.extractionBroken', message, { details: { advice } });
    }
    default:
      return new MillraceError('client.extractionRefused', `Job ${job.id} is ${standOf(job)}: ${message}`);
  }
}
