import { ExtractorError } from '../values/extractor-error.ts';
import { isList, isObject, shown, valueAt, type JsonObject, type JsonValue } from '../values/json-value.ts';

/** A placeholder of a child job with the value that one item of a parent gives it. */
export interface FilledPlaceholder {
  /** As the configuration writes it: `name`, or `2:name` for that of the grandparent. */
  readonly name: string;
  /** Where the value was found in the item. */
  readonly path: string;
  readonly value: JsonValue;
}

/** What makes another value of one, by the function that a placeholder names. */
export type ApplyFunction = (definition: JsonObject, value: JsonValue) => JsonValue;

/** Of a child job for one item; an answer with several long arrays would have no end. */
const mostRuns = 100_000;

/**
 * Values for the placeholders of a child job, a list for each of its runs: a value that is an array makes a run for
 * each element, several of them one for each combination. `parents`: the item that the child belongs to, then that of
 * its parent, and so on.
 */
export function fillPlaceholders(
  placeholders: JsonObject,
  parents: readonly JsonValue[],
  apply: ApplyFunction,
): readonly (readonly FilledPlaceholder[])[] {
  let runs: readonly (readonly FilledPlaceholder[])[] = [[]];
  for (const [name, definition] of Object.entries(placeholders)) {
    const { path, value } = found(name, definition, parents);
    const applied = isObject(definition) ? apply(definition, value) : value;
    const values = isList(applied) ? applied : [applied];
    if (runs.length * values.length > mostRuns)
      throw new ExtractorError(
        `The placeholders ${Object.keys(placeholders).join(', ')} make more than ${mostRuns} runs of one item.`,
      );
    runs = runs.flatMap((run) => values.map((each) => [...run, { name, path, value: each }]));
  }
  return runs;
}

interface Found {
  readonly path: string;
  readonly value: JsonValue;
}

function found(name: string, definition: JsonValue, parents: readonly JsonValue[]): Found {
  const path = isObject(definition) ? definition['path'] : definition;
  if (typeof path !== 'string' || path === '')
    throw new ExtractorError(
      `The path for placeholder '${name}' must be a string value or an object containing 'path' and 'function'.`,
    );
  const level = levelOf(name);
  const item = parents[level - 1];
  if (item === undefined)
    throw new ExtractorError(`Level ${level} not found in parent results! Maximum level: ${parents.length}`);
  const value = valueAt(item, path);
  if (value !== undefined) return { path, value };
  throw new ExtractorError(`No value found for ${name} in parent result. (level: ${level})`);
}

/** 1 is the parent, 2 its parent. */
function levelOf(name: string): number {
  return Number(/^([1-9]\d*):/.exec(name)?.[1] ?? 1);
}

/** The endpoint with each `{name}` as its value. Nothing else of a job has placeholders. */
export function withPlaceholders(endpoint: string, filled: readonly FilledPlaceholder[]): string {
  return filled.reduce((text, { name, value }) => text.replaceAll(`{${name}}`, () => shown(value)), endpoint);
}
