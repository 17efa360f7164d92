import type { Authentication } from '../authentication/authentication.ts';
import { parseAuthentication } from '../authentication/parse-authentication.ts';
import { evaluateFields } from '../functions/evaluate.ts';
import { parsePagination, type Clocks } from '../pagination/pagination.ts';
import type { OutputOf } from '../tables/output-files.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty, isTruthy, numberOf } from '../values/loose.ts';
import { parseApi, type ApiSettings } from './parse-api.ts';
import { parseJobs, userDataOf, type Job } from './parse-job.ts';

/** One run through all jobs. */
export interface Iteration {
  readonly api: ApiSettings;
  readonly authentication: Authentication;
  readonly jobs: readonly Job[];
  /** What functions of jobs refer to. */
  readonly references: Readonly<Record<'attr' | 'time', JsonObject>>;
  /** Columns that the rows of top-level jobs get besides. */
  readonly userData: JsonObject;
  readonly mappings: JsonValue | undefined;
  readonly output: OutputOf;
  /** Silent about debugging unless `config.debug` says so. */
  readonly log: ExtractorLog;
}

export interface IterationOf {
  readonly api: JsonValue | undefined;
  readonly authorization: JsonValue | undefined;
  readonly time: JsonObject;
  readonly clocks: Clocks;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: ExtractorLog;
}

/** Reads `config`, with what an iteration replaces of it. */
export function parseIteration(config: JsonObject, of: IterationOf): Iteration {
  const { jobs, ...attributes } = config;
  if (jobs === undefined || isEmpty(jobs) || typeof jobs !== 'object')
    throw new ExtractorError("The 'jobs' section is required in the configuration.");
  const log = isTruthy(fieldOf(config, 'debug') ?? false) ? of.log : withoutDebug(of.log);
  const encodesScalars = isEmpty(fieldOf(config, 'compatLevel')) || numberOf(fieldOf(config, 'compatLevel')) >= 3;
  // The jobs are looked at before the API; what is wrong with their pagination is told last.
  parseJobs(jobs, { paginationOf: parsePagination(undefined, of.clocks), encodesScalars });
  if (!isObject(of.api)) throw new ExtractorError("The 'api' section is required in configuration.");
  const { api, authorization, clocks, random } = of;
  const authentication = parseAuthentication({ api, attributes, authorization, now: clocks.now, random, log });
  const evaluation = { references: { attr: attributes }, now: clocks.now() };
  const settings = parseApi({ api, attributes, evaluation, log });
  const paginationOf = parsePagination(fieldOf(api, 'pagination'), clocks);
  const references = { attr: attributes, time: of.time };
  const userData = userDataOf(fieldOf(config, 'userData'), 'userData');
  const parsed = parseJobs(jobs, { paginationOf, encodesScalars });
  tryFunctions(parsed, (fields) => evaluateFields(fields, { references, now: clocks.now() }));
  evaluateFields(userData, { references, now: clocks.now() });
  return {
    api: settings,
    authentication,
    jobs: parsed,
    references,
    userData,
    mappings: fieldOf(config, 'mappings'),
    output: outputOf(config, settings.name),
    log,
  };
}

/** What is wrong with a function is told before anything is asked for. */
function tryFunctions(jobs: readonly Job[], evaluated: (fields: JsonObject) => JsonObject): void {
  for (const { request, userData, children } of jobs) {
    evaluated(request.params);
    evaluated(userData);
    tryFunctions(children, evaluated);
  }
}

function outputOf(config: JsonObject, apiName: string): OutputOf {
  const [outputBucket, configId] = [nameAt(config, 'outputBucket'), nameAt(config, 'id')];
  // A file is called like the bucket.
  const named = outputBucket ?? (configId === undefined ? '' : `${apiName}-${configId}`);
  if (/[/\\\p{Cc}]/u.test(named))
    throw new ExtractorError(
      `"${named}" cannot be in the name of a bucket: it has a slash or a control character. Set 'config.outputBucket'.`,
    );
  return { outputBucket, configId, apiName, incremental: isTruthy(fieldOf(config, 'incrementalOutput') ?? false) };
}

function nameAt(config: JsonObject, name: string): string | undefined {
  const value = fieldOf(config, name);
  return isEmpty(value) ? undefined : shown(value);
}

function withoutDebug(log: ExtractorLog): ExtractorLog {
  return {
    debug: () => undefined,
    info: (text) => log.info(text),
    warning: (text) => log.warning(text),
  };
}
