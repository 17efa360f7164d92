import { componentOf } from '../../core/component.ts';
import type { Configuration, ConfigurationRow } from '../../core/configuration.ts';
import type { Job, JobValue } from '../../core/jobs/job.ts';
import type { StateOwner } from '../../core/jobs/load-note.ts';
import { hiddenValue } from '../../core/jobs/job-values.ts';
import { rootFault } from '../../core/jobs/root-options.ts';
import type { JsonValue } from '../../extractor/values/json-value.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { chooseValues, type AskedValues } from '../../variables/choose-values.ts';
import { mergeRow } from '../../variables/merge-row.ts';
import { neededOfVault } from '../../variables/render.ts';
import { resolve } from '../../variables/resolve.ts';
import { secretNames } from '../../variables/secret-names.ts';
import { spliceSharedCode } from '../../variables/shared-code.ts';
import type { ConfigurationSecrets } from './configuration-secrets.ts';
import type { HiddenValues } from '../../secrets/hidden-values.ts';
import { JobFault } from './job-fault.ts';
import { objectOf, StoredConfigurations, textAt } from './stored-configurations.ts';

/** One run of the extractor. */
export interface PreparedRun {
  /** Absent: of a configuration that came with the job, which keeps none. */
  readonly stateOwner?: StateOwner;
  /** With everything put in, secrets as well. */
  readonly configuration: JsonValue;
  readonly state: JsonValue | undefined;
}

export interface PreparedRuns {
  readonly configurationVersion?: number;
  readonly runs: readonly PreparedRun[];
  /** As they were put in; no secrets. */
  readonly variables: readonly JobValue[];
}

export interface PrepareOptions {
  readonly catalog: Catalog;
  readonly secrets: ConfigurationSecrets;
  /** Gets every secret. */
  readonly hidden: HiddenValues;
  readonly log: { info(text: string): void };
}

/** A run that is still as it was written down. */
interface WrittenRun extends Omit<PreparedRun, 'configuration'> {
  readonly configuration: unknown;
}

/**
 * What a job runs: its configuration, once for each row of it that is to run, with shared code, vault, variables and secrets put in.
 * `JobFault` or `VariableError` for what its owner has to mend; notes go to the log.
 */
export async function prepareRuns(job: Job, options: PrepareOptions, waiting: Waiting): Promise<PreparedRuns> {
  const stored = new StoredConfigurations(options.catalog, job.request.branchId);
  const found = await configurationOf(job, stored, waiting);
  const written = writtenRuns(job, found, options.log);
  const variables = new Map<string, string>();
  const runs: PreparedRun[] = [];
  let weight = 0;
  for (const run of written) {
    refuseUnknownKeys(run.configuration);
    const resolved = await resolveRun(run.configuration, { job, stored, ...options }, waiting);
    weight += weightOf(resolved.configuration);
    if (weight > mostWeight) throw tooMuch();
    for (const { name, value } of resolved.variables) variables.set(name, value);
    runs.push({ ...run, configuration: resolved.configuration });
  }
  return {
    ...(found === undefined ? {} : { configurationVersion: found.version.number }),
    runs,
    variables: Array.from(variables, ([name, value]) => shownIn(options.hidden, { name, value })),
  };
}

/** The same where no secret is in it, and none stands at a key with `#` in its place. */
function shownIn(hidden: HiddenValues, { name, value }: JobValue): JobValue {
  return { name, value: hidden.variables.has(name) ? hiddenValue : hidden.hide(value) };
}

/** D8: what all runs of a job hold together, in characters and values: one configuration is what each of its rows begins with. */
const mostWeight = 64 * 1024 ** 2;

function tooMuch(): JobFault {
  const message = `The runs of the job have more than ${mostWeight} characters of configuration together; run fewer rows in one job.`;
  return new JobFault('user', message);
}

function weightOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const [key, inner] of Object.entries(value)) weight += key.length + weightOf(inner);
  return weight;
}

async function configurationOf(
  { request }: Job,
  stored: StoredConfigurations,
  waiting: Waiting,
): Promise<Configuration | undefined> {
  const { componentId, configurationId, configurationData, mode } = request;
  if (configurationId === undefined) return undefined;
  const found = await stored.get(componentId, configurationId, waiting);
  // One that comes with the job names the configuration for its bucket alone.
  if (configurationData !== undefined) return found;
  if (found === undefined) throw new JobFault('user', `Configuration "${configurationId}" not found`);
  if (!found.isDisabled || mode === 'forceRun') return found;
  const component = componentOf(componentId)?.id ?? componentId;
  throw new JobFault('user', `Configuration "${configurationId}" of component "${component}" is disabled.`);
}

function writtenRuns(
  { request }: Job,
  found: Configuration | undefined,
  log: PrepareOptions['log'],
): readonly WrittenRun[] {
  const { configurationData, rowIds, mode } = request;
  if (configurationData !== undefined) return [{ configuration: objectOf(configurationData), state: undefined }];
  if (found === undefined) throw new JobFault('user', 'The job names no configuration and brings none.');
  const root = objectOf(found.configuration);
  if (found.rows.length === 0 && rowIds.length === 0)
    return [{ stateOwner: { createdAt: found.created.at }, configuration: root, state: stateOf(found) }];
  const rows = found.rows.filter(({ rowId }) => rowIds.length === 0 || rowIds.includes(rowId));
  if (rows.length === 0) throw new JobFault('user', `None of rows "${rowIds.join(', ')}" was found.`);
  const isSkipped = ({ isDisabled }: ConfigurationRow): boolean => isDisabled && mode !== 'forceRun';
  for (const { rowId } of rows.filter(isSkipped)) {
    const { configurationId, version } = found;
    log.info(`Skipping disabled configuration: ${configurationId}, version: ${version.number}, row: ${rowId}`);
  }
  const run = (row: ConfigurationRow): WrittenRun => ({
    stateOwner: { rowId: row.rowId, createdAt: row.created.at },
    configuration: mergeRow(root, objectOf(row.configuration)),
    state: stateOf(row),
  });
  return rows.filter((row) => !isSkipped(row)).map(run);
}

function stateOf({ state }: Pick<ConfigurationRow, 'state'>): JsonValue | undefined {
  return state === '' ? undefined : (objectOf(state) as JsonValue);
}

function refuseUnknownKeys(configuration: unknown): void {
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) return;
  const fault = rootFault(configuration);
  if (fault !== undefined) throw new JobFault('user', `Invalid configuration: ${fault}`);
}

interface ResolveOptions extends PrepareOptions {
  readonly job: Job;
  readonly stored: StoredConfigurations;
}

async function resolveRun(
  written: unknown,
  { job, stored, secrets, hidden, log }: ResolveOptions,
  waiting: Waiting,
): Promise<{ readonly configuration: JsonValue; readonly variables: readonly JobValue[] }> {
  const { request } = job;
  const sharedCode = await stored.sharedCode(written, waiting);
  const asked: AskedValues = {
    variablesId: textAt(written, 'variables_id'),
    defaultValuesId: textAt(written, 'variables_values_id'),
    valuesId: request.variableValuesId,
    values: await secrets.values(request.variableValues, request.componentId, waiting),
  };
  const chosen = chooseValues(asked, await stored.variables(asked, waiting));
  const spliced = spliceSharedCode(written, sharedCode);
  const vault = await secrets.vault(request.branchId, neededOfVault(spliced), waiting);
  hide(vault.values(), hidden);
  const { configuration, variables, notes } = resolve({
    configuration: written,
    sharedCode,
    chosen,
    vault,
  });
  for (const name of secretNames(spliced)) hidden.variables.add(name);
  const secretValues = variables.filter(({ name }) => hidden.variables.has(name)).map(({ value }) => value);
  hide(secretValues, hidden);
  for (const note of notes) log.info(note);
  const plain = await secrets.decrypt(configuration, request.componentId, waiting);
  hide(plain.secrets, hidden);
  hide(plainSecrets(plain.configuration), hidden);
  return { configuration: plain.configuration as JsonValue, variables };
}

/** D8: so many characters of secrets are looked for in each line of a log. */
const mostSecretCharacters = 4 * 1024 ** 2;

function hide(values: Iterable<string>, hidden: HiddenValues): void {
  for (const value of values) {
    hidden.add(value);
    if (hidden.characters <= mostSecretCharacters) continue;
    const message = `The secrets of the job have more than ${mostSecretCharacters} characters together.`;
    throw new JobFault('user', message);
  }
}

/** What stands at keys that say that their values are secret, elements of arrays too, whether or not it was stored encrypted. */
function* plainSecrets(value: unknown, isHashed = false): Generator<string> {
  if (typeof value === 'string' && isHashed) yield value;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const one of value) yield* plainSecrets(one, isHashed);
  else for (const [key, inner] of Object.entries(value)) yield* plainSecrets(inner, key.startsWith('#'));
}
