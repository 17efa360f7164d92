import type { HttpSettings } from '../../ports/http-client.ts';
import type { Clocks } from '../pagination/pagination.ts';
import { addressOf } from '../requests/request.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { ExtractorLog } from '../values/extractor-log.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import { isDeeper } from '../values/nesting.ts';
import { parseAllowedHosts, type CheckAddress } from './allowed-hosts.ts';
import { refuseNotOffered } from './not-offered.ts';
import { parseConnections } from './parse-connections.ts';
import { parseIteration, type Iteration } from './parse-iteration.ts';

export interface ExtractorConfiguration {
  /** At least one; they are run one after the other. */
  readonly iterations: readonly Iteration[];
  readonly connections: HttpSettings;
  readonly checkAddress: CheckAddress;
}

export interface ConfigurationOf {
  /** `previousStart` and `currentStart`, in seconds since the epoch. */
  readonly time: JsonObject;
  readonly clocks: Clocks;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly log: ExtractorLog;
}

/** Arrays and objects in each other. */
const deepest = 300;

/** Reads a configuration whole. What is wrong with it is an `ExtractorError`, before anything is asked for. */
export function parseConfiguration(value: JsonValue, of: ConfigurationOf): ExtractorConfiguration {
  if (isDeeper(value, deepest))
    throw new ExtractorError(`The configuration has more than ${deepest} levels of nesting.`);
  const root = objectOf(value);
  const parameters = objectOf(fieldOf(root, 'parameters'));
  const action = fieldOf(root, 'action');
  if (!isEmpty(action) && action !== 'run')
    throw new ExtractorError(`The action '${shown(action)}' is not offered, 'run' is the only one.`);
  const configs = configsOf(parameters);
  refuseNotOffered(parameters, configs);
  const api = fieldOf(parameters, 'api');
  const authorization = fieldOf(root, 'authorization');
  const iterations = configs.map((config) => parseIteration(config, { ...of, api, authorization }));
  const checkAddress = parseAllowedHosts(fieldOf(root, 'image_parameters'));
  for (const { api: settings, jobs } of iterations)
    for (const { request } of jobs) checkAddress(addressOf(request.endpoint, settings.baseUrl));
  return { iterations, connections: parseConnections(objectOf(api)), checkAddress };
}

/** `config` as each iteration has it. */
function configsOf(parameters: JsonObject): readonly JsonObject[] {
  const config = fieldOf(parameters, 'config');
  if (isEmpty(config) || !isObject(config))
    throw new ExtractorError("The 'config' section is required in the configuration.");
  if (Object.keys(config).length === 0)
    throw new ExtractorError("The 'config' section is required in the configuration.");
  const iterations = fieldOf(parameters, 'iterations');
  if (iterations === undefined || isEmpty(iterations)) return [config];
  const list = isList(iterations) ? iterations : isObject(iterations) ? Object.values(iterations) : [iterations];
  return list.map((each) => {
    if (isObject(each)) return { ...config, ...each };
    if (isList(each) && each.length === 0) return config;
    throw new ExtractorError(`Each of the 'iterations' must be an object. Value '${shown(each)}'.`);
  });
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
