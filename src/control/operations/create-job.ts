import { componentOf, type Component } from '../../core/component.ts';
import type { BranchId } from '../../core/ids.ts';
import type { Job, JobMode, JobRequest, JobValue } from '../../core/jobs/job.ts';
import { rootFault } from '../../core/jobs/root-options.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { shortened } from '../../core/shortened.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import { eachJob } from '../../documents/each-job.ts';
import { makeJob } from '../../documents/make-job.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { readWorkforce } from '../store/read-workforce.ts';
import { randomText } from '../store/random-text.ts';
import { secretNames } from '../../variables/secret-names.ts';
import { stampNow } from './stamp-now.ts';

export type CreateJobParts = Pick<
  Parts,
  'catalog' | 'clock' | 'loads' | 'random' | 'runsJobs' | 'secrets' | 'tasks' | 'workers'
>;

const nobodyRuns =
  'Cannot create job: no process of this product runs jobs, nor did one within the last hour; start one with the role work. The command line runs a configuration from a file without one.';

/** What somebody asks for. */
export interface JobInput {
  readonly branchId: BranchId;
  /** Id or alias. */
  readonly component: string;
  readonly configurationId?: string | undefined;
  /** JSON text. */
  readonly configurationData?: string | undefined;
  readonly rowIds: readonly string[];
  readonly mode: JobMode;
  readonly tag?: string | undefined;
  readonly variableValuesId?: string | undefined;
  readonly variableValues: readonly JobValue[];
  readonly parentRunId?: string | undefined;
  /** Milliseconds from now. */
  readonly delayMs?: number | undefined;
  /** ISO time. */
  readonly startAt?: string | undefined;
}

/** Makes a job; `job.invalid` when it could never run, `job.tooMany`. */
export async function createJob(
  parts: CreateJobParts,
  { input, change }: { readonly input: JobInput; readonly change: Change },
  options: Waiting,
): Promise<Job> {
  const { catalog, tasks, random } = parts;
  const request = await requestOf(parts, input, options);
  if ((await readWorkforce(parts, options)) === 'none') throw invalid(nobodyRuns);
  // One at a time, or all of them would find room for one more.
  return tasks.serial.run('create job', () =>
    tasks.alone({ claims: [], change }, async () => {
      await requireRoom(catalog, options);
      await change.begin(undefined, options);
      const created = stampNow(parts, change.by);
      const job = await makeJob(parts, { request, created, taker: randomText(random, 16) }, options);
      change.made({ kind: 'job', jobId: job.jobId });
      return job;
    }),
  );
}

async function requestOf(parts: CreateJobParts, input: JobInput, options: Waiting): Promise<JobRequest> {
  const component = runnable(input.component);
  if (input.variableValuesId !== undefined && input.variableValues.length > 0)
    throw invalid('Provide either "variableValuesId" or "variableValuesData", but not both.');
  if (input.configurationId === undefined && input.configurationData === undefined)
    throw invalid('Cannot create job: "config" or "configData" must be given.');
  if (input.configurationId === undefined && input.rowIds.length > 0)
    throw invalid('Cannot create job: "configRowIds" names rows of a configuration, which "config" must name.');
  const data = input.configurationData;
  const written =
    data === undefined ? await requireConfiguration(parts, { input, component }, options) : [requireRoot(data)];
  const { branchId, configurationId, rowIds, mode, tag, variableValuesId, variableValues, parentRunId } = input;
  const notBefore = startOf(parts, input);
  const request: JobRequest = {
    branchId,
    componentId: component.id,
    ...(configurationId !== undefined && { configurationId }),
    ...(data !== undefined && { configurationData: await sealed(parts, { component, data }, options) }),
    rowIds,
    mode,
    ...(tag !== undefined && { tag }),
    ...(variableValuesId !== undefined && { variableValuesId }),
    variableValues: await sealedValues(parts, { component, variableValues, written }, options),
    ...(parentRunId !== undefined && { parentRunId }),
    ...(notBefore !== undefined && { notBefore }),
  };
  requireSize(request);
  return request;
}

/** No secret of a configuration is stored in the clear, nor shown by what shows the job. */
async function sealed(
  { secrets }: Pick<CreateJobParts, 'secrets'>,
  { component, data }: { readonly component: Component; readonly data: string },
  options: Waiting,
): Promise<string> {
  return (await secrets.encryptionOf(component.id, options))(data, undefined);
}

interface GivenValues extends Pick<JobInput, 'variableValues'> {
  readonly component: Component;
  /** The configuration, and its rows. */
  readonly written: readonly unknown[];
}

/** Those that the configuration puts at keys with `#` are kept as ciphertexts. */
async function sealedValues(
  { secrets }: Pick<CreateJobParts, 'secrets'>,
  { component, variableValues, written }: GivenValues,
  options: Waiting,
): Promise<readonly JobValue[]> {
  const names = new Set(written.flatMap((one) => [...secretNames(one)]));
  const sealing = variableValues.map(async ({ name, value }): Promise<JobValue> => {
    if (!names.has(name)) return { name, value };
    return { name, value: await secrets.encryptVariable(value, component.id, options), isSecret: true };
  });
  return Promise.all(sealing);
}

function runnable(id: string): Component {
  const component = componentOf(id);
  if (component === undefined)
    throw invalid(`Cannot resolve job parameters: Component "${shortened(id, 100)}" not found`);
  if (component.isRunnable) return component;
  throw invalid(`The component "${component.id}" is not runnable.`);
}

interface Configured {
  readonly input: JobInput;
  readonly component: Component;
}

/** What is written in it and in its rows. */
async function requireConfiguration(
  { catalog }: Pick<CreateJobParts, 'catalog'>,
  { input: { branchId, configurationId = '', mode }, component }: Configured,
  options: Waiting,
): Promise<readonly unknown[]> {
  const shown = shortened(configurationId, limits.pathLength);
  // An id with a slash would be that of another document.
  const id = configurationId.includes('/')
    ? undefined
    : configurationDocumentId({ branchId, componentId: component.id, configurationId });
  const found =
    id === undefined ? undefined : await readDocument(catalog, { kind: configurationDocuments, id }, options);
  if (found === undefined || found.value.deleted !== undefined)
    throw invalid(`Cannot resolve job parameters: Configuration "${shown}" not found`);
  if (found.value.isDisabled && mode !== 'forceRun')
    throw invalid(`Configuration "${shown}" of component "${component.id}" is disabled.`);
  return [found.value, ...found.value.rows].map(({ configuration }) =>
    configuration === '' ? {} : parseExactJsonText(configuration),
  );
}

function requireRoot(text: string): object {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 0))
    throw invalid('Invalid configuration: "configData" must be an object.');
  const fault = rootFault(value);
  if (fault !== undefined) throw invalid(`Invalid configuration: ${fault}`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseExactJsonText(text);
  } catch (cause) {
    throw new MillraceError('job.invalid', 'Invalid configuration: "configData" is not valid JSON.', { cause });
  }
}

function startOf({ clock }: Pick<CreateJobParts, 'clock'>, { delayMs, startAt }: JobInput): string | undefined {
  if (delayMs === undefined && startAt === undefined) return undefined;
  if (delayMs !== undefined && startAt !== undefined)
    throw invalid('Provide either "delay" or "delayedStartTime", but not both.');
  const now = clock.now();
  const at = startAt === undefined ? now + (delayMs ?? 0) : Date.parse(startAt);
  const days = limits.jobDelayMs / 86_400_000;
  if (at - now > limits.jobDelayMs) throw invalid(`Cannot create job: it is to start in more than ${days} days.`);
  return new Date(at).toISOString();
}

function requireSize(request: JobRequest): void {
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes <= limits.jobRequestBytes) return;
  const advice = 'keep a configuration of this size in the storage and name it with "config"';
  throw invalid(
    `Cannot create job: it has ${bytes} bytes with its configuration, its values and its rows, the maximum is ${limits.jobRequestBytes}; ${advice}.`,
  );
}

async function requireRoom(catalog: CreateJobParts['catalog'], options: Waiting): Promise<void> {
  if ((await catalog.count('job', '', options)) < limits.openJobs) return;
  let open = 0;
  for await (const { phase } of eachJob(catalog, {}, options)) if (phase !== 'ended') open += 1;
  if (open < limits.openJobs) return;
  const message = `Cannot create job: ${open} jobs have not ended, the maximum is ${limits.openJobs}; try again later.`;
  throw new MillraceError('job.tooMany', message);
}

function invalid(message: string): MillraceError {
  return new MillraceError('job.invalid', message);
}
