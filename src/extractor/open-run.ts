import { MillraceError } from '../core/millrace-error.ts';
import type { HttpClient, HttpSettings } from '../ports/http-client.ts';
import type { Waiting } from '../ports/waiting.ts';
import { ApiClient } from './api-client.ts';
import { Budget } from './budget.ts';
import { parseConfiguration, type ExtractorConfiguration } from './configuration/parse-configuration.ts';
import type { Iteration } from './configuration/parse-iteration.ts';
import { usualLimits, type ExtractionRun } from './extraction.ts';
import { ExtractorError } from './values/extractor-error.ts';
import { fieldOf, isObject, type JsonObject, type JsonValue } from './values/json-value.ts';
import { isEmpty } from './values/loose.ts';

/** A configuration that is read, and what asks the API for it. */
export interface OpenRun extends AsyncDisposable {
  readonly configuration: ExtractorConfiguration;
  readonly budget: Budget;
  readonly clientOf: (iteration: Iteration) => ApiClient;
  /** What the next run is to know. */
  readonly stateAfter: JsonObject;
}

/** Reads a configuration and opens its connections; what is wrong with it is an `ExtractorError`. */
export function openRun(run: Omit<ExtractionRun, 'spool'>, { signal }: Waiting): OpenRun {
  signal.throwIfAborted();
  const { clock, random, log } = run;
  const state = isObject(run.state) ? run.state : {};
  const currentStart = Math.floor(clock.now() / 1000);
  const clocks = { now: () => clock.now(), monotonic: () => clock.monotonic() };
  const time = { previousStart: previousStart(state), currentStart };
  if (Number(time.previousStart) > currentStart) log.warning(beganLater(Number(time.previousStart) - currentStart));
  const configuration = parseConfiguration(run.configuration, { time, clocks, random, log });
  const limits = run.limits ?? usualLimits;
  const budget = new Budget(limits, clock);
  const { connections } = configuration;
  const { requestTimeoutMs: asked } = connections;
  // One request takes no longer than the whole run may.
  const requestTimeoutMs = asked === undefined ? undefined : Math.min(asked, limits.durationMs);
  const http = opened(run, { ...connections, requestTimeoutMs });
  const { checkAddress } = configuration;
  return {
    configuration,
    budget,
    clientOf: ({ api, authentication, log: own }) =>
      new ApiClient({ http, api, authentication, checkAddress, budget, clock, random, log: own, signal }),
    stateAfter: stateAfter(state, currentStart),
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** A certificate that cannot be read is the mistake of who gives it. */
function opened(
  { openHttp }: Pick<ExtractionRun, 'openHttp'>,
  connections: HttpSettings,
): HttpClient & AsyncDisposable {
  try {
    return openHttp(connections);
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'input.invalid') throw new ExtractorError(thrown.message);
    throw thrown;
  }
}

function beganLater(seconds: number): string {
  return `The last run began ${seconds} seconds from now, as its state has it: one of the clocks is or was wrong. What changed in between is not asked for by what uses "previousStart".`;
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
