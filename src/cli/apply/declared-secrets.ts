import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, isList, type Json, type JsonObject } from './declared-json.ts';

/** What stands in a file for a secret: the environment variable that has it when it is needed. */
interface FromEnvironment {
  readonly env: string;
}

/** A placeholder alone is no secret: the vault has what takes its place. */
const onePlaceholder = /^\s*\{\{\s*[\w.-]+(?: [\w.-]+)*\s*\}\}\s*$/;
const environmentName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface SecretFault {
  /** Keys and indexes from the root on. */
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** The secrets of a configuration of a file that stand in it themselves, or in another way than they may. */
export function secretFaults(value: Json, at: readonly (string | number)[] = []): readonly SecretFault[] {
  if (isList(value)) return value.flatMap((held, index) => secretFaults(held, [...at, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, held]) => {
    const place = [...at, key];
    if (!isHashed(key) || held === null) return secretFaults(held, place);
    if (isFromEnvironment(held)) {
      if (environmentName.test(held.env)) return [];
      return [{ at: place, message: `"${held.env}" is no name of an environment variable` }];
    }
    if (isJsonObject(held)) return secretFaults(held, place);
    if (typeof held === 'string' && onePlaceholder.test(held)) return [];
    const advice = `{ env: ${variableFor(place)} } takes it from the environment, "{{vault.NAME}}" from the vault`;
    return [{ at: place, message: `secrets do not belong in a file: ${advice}` }];
  });
}

/** The same configuration with each secret as a file has it. `owner` begins the names of the variables. */
export function withoutSecrets(value: JsonObject, owner: readonly string[]): JsonObject {
  const entries = Object.entries(value).map(([key, held]): readonly [string, Json] => {
    const place = [...owner, key];
    const isKept = held === null || (typeof held === 'string' && onePlaceholder.test(held));
    if (isHashed(key) && !isKept && !isJsonObject(held)) return [key, { env: variableFor(place) }];
    return [key, withoutSecretsBelow(held, place)];
  });
  return Object.fromEntries(entries);
}

function withoutSecretsBelow(value: Json, at: readonly string[]): Json {
  if (isList(value)) return value.map((held, index) => withoutSecretsBelow(held, [...at, String(index)]));
  return isJsonObject(value) ? withoutSecrets(value, at) : value;
}

export interface SecretSources {
  /** What is stored at the same place: ciphertexts, which are kept. */
  readonly before: JsonObject | undefined;
  /** The value of a variable of the environment. */
  readonly environment: (name: string) => string | undefined;
  /** Take all secrets from the environment, those that are stored, too. */
  readonly anew: boolean;
}

export interface FilledSecrets {
  /** As it is sent. */
  readonly configuration: JsonObject;
  /** As it is shown and compared: a secret that is sent is named by its variable. */
  readonly shown: JsonObject;
  /** A sentence for each variable that is not set. */
  readonly missing: readonly string[];
}

/** A configuration of a file with its secrets: those that are stored as they are stored, the others from the environment. */
export function filledSecrets(declared: JsonObject, { before, environment, anew }: SecretSources): FilledSecrets {
  const missing: string[] = [];
  const fill = (value: Json, stored: Json | undefined, at: string): readonly [Json, Json] => {
    if (isList(value)) {
      const places = storedPlaces(value, isList(stored) ? stored : []);
      const pairs = value.map((held, index) => fill(held, places[index], `${at}[${index}]`));
      return [pairs.map(([sent]) => sent), pairs.map(([, shown]) => shown)];
    }
    if (!isJsonObject(value)) return [value, value];
    const pairs = Object.entries(value).map(([key, held]) => {
      const place = at === '' ? key : `${at}.${key}`;
      const kept = isJsonObject(stored) ? stored[key] : undefined;
      return [
        key,
        isHashed(key) && isFromEnvironment(held) ? secret(held, kept, place) : fill(held, kept, place),
      ] as const;
    });
    return [
      Object.fromEntries(pairs.map(([key, [sent]]) => [key, sent])),
      Object.fromEntries(pairs.map(([key, [, shown]]) => [key, shown])),
    ];
  };
  const secret = ({ env }: FromEnvironment, kept: Json | undefined, at: string): readonly [Json, Json] => {
    const isStored = typeof kept === 'string' && !onePlaceholder.test(kept);
    if (isStored && !anew) return [kept, kept];
    const value = environment(env);
    if (value === undefined || value === '')
      missing.push(`"${at}" is a secret: set the environment variable ${env} to it`);
    return [value ?? '', `(of ${env})`];
  };
  const [configuration, shown] = fill(declared, before, '');
  if (!isJsonObject(configuration) || !isJsonObject(shown))
    return { configuration: declared, shown: declared, missing };
  return { configuration, shown, missing };
}

/**
 * For each element of a list the stored one that it was: the first that is equal but for its secrets, else the one in its place, if nobody
 * else was that. An element that only moved keeps its secret, and none gets that of another one.
 */
function storedPlaces(declared: readonly Json[], stored: readonly Json[]): readonly (Json | undefined)[] {
  const free = new Set(stored.keys());
  const bare = stored.map(withoutHashed);
  const take = (index: number | undefined): Json | undefined => {
    if (index === undefined || !free.delete(index)) return undefined;
    return stored[index];
  };
  const moved = declared.map((held) => {
    const own = withoutHashed(held);
    return take([...free].find((index) => isDeepStrictEqual(bare[index], own)));
  });
  return moved.map((found, index) => found ?? take(index));
}

function withoutHashed(value: Json): Json {
  if (isList(value)) return value.map(withoutHashed);
  if (!isJsonObject(value)) return value;
  const open = Object.entries(value).filter(([key]) => !isHashed(key));
  return Object.fromEntries(open.map(([key, held]) => [key, withoutHashed(held)]));
}

/** The value of this key is kept encrypted. */
export function isHashed(key: string): boolean {
  return key.startsWith('#');
}

function isFromEnvironment(value: Json): value is JsonObject & FromEnvironment {
  return isJsonObject(value) && typeof value['env'] === 'string' && Object.keys(value).length === 1;
}

function variableFor(place: readonly (string | number)[]): string {
  const words = place
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_');
  return words.replaceAll(/^_+|_+$/g, '').replace(/^(?=[0-9])/, '_');
}
