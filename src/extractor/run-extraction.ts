import { MillraceError } from '../core/millrace-error.ts';
import type { HttpClient, HttpSettings } from '../ports/http-client.ts';
import { ApiClient } from './api-client.ts';
import { Budget } from './budget.ts';
import { parseConfiguration } from './configuration/parse-configuration.ts';
import { usualLimits, type ExtractionRun, type RunExtraction } from './extraction.ts';
import { JobRuns } from './job-runs.ts';
import { OutputTables } from './output-tables.ts';
import { ExtractorError } from './values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject, type JsonValue } from './values/json-value.ts';
import { isEmpty } from './values/loose.ts';

export const runExtraction: RunExtraction = async (run, { signal }) => {
  const { clock, random, log, spool } = run;
  signal.throwIfAborted();
  const state = isObject(run.state) ? run.state : {};
  const currentStart = Math.floor(clock.now() / 1000);
  const clocks = { now: () => clock.now(), monotonic: () => clock.monotonic() };
  const time = { previousStart: previousStart(state), currentStart };
  const configuration = parseConfiguration(run.configuration, { time, clocks, random, log });
  const output = new OutputTables(configuration, spool);
  const budget = new Budget(run.limits ?? usualLimits, clock);
  await using http = opened(run, configuration.connections);
  for (const iteration of configuration.iterations) {
    const { api, authentication, log } = iteration;
    const { checkAddress } = configuration;
    const client = new ApiClient({ http, api, authentication, checkAddress, budget, clock, random, log, signal });
    const tables = output.of(iteration.output);
    const onProgress = run.onProgress ?? (() => undefined);
    await new JobRuns({ iteration, client, tables, budget, now: clocks.now, onProgress }).runAll();
  }
  const tables = await output.whole();
  signal.throwIfAborted();
  log.info('Extractor finished successfully.');
  return { ...budget.used, tables, state: stateAfter(state, currentStart) };
};

/** A certificate that cannot be read is the mistake of who gives it. */
function opened({ openHttp }: ExtractionRun, connections: HttpSettings): HttpClient & AsyncDisposable {
  try {
    return openHttp(connections);
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'input.invalid') throw new ExtractorError(thrown.message);
    throw thrown;
  }
}

/** In seconds since the epoch; 0 on the first run. */
function previousStart(state: JsonObject): JsonValue {
  const time = fieldOf(state, 'time');
  const value = isObject(time) ? fieldOf(time, 'previousStart') : undefined;
  return value === undefined || isEmpty(value) ? 0 : value;
}

/** What else the state holds is kept for whoever wrote it. */
function stateAfter(state: JsonObject, currentStart: number): JsonObject {
  const time = fieldOf(state, 'time');
  return { ...state, time: { ...(isObject(time) ? time : {}), previousStart: currentStart } };
}
