/** A value of JSON as a file has it. An integer that a number does not hold exactly is a bigint. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The JSON text of a value, with all digits. */
export function jsonText(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, held]) => `${JSON.stringify(key)}:${jsonText(held)}`)
      .join(',')}}`;
  return JSON.stringify(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of each value that is no object and no list, and of those that are empty, by where it stands: `parameters.jobs[0].endpoint`. */
export function leaves(value: Json, at: string): ReadonlyMap<string, Json> {
  const isEmpty = isList(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
  if (isEmpty || !(isList(value) || isJsonObject(value))) return new Map([[at, value]]);
  const parts = isList(value)
    ? value.map((held, index) => [`${at}[${index}]`, held] as const)
    : Object.entries(value).map(([key, held]) => [at === '' ? key : `${at}.${key}`, held] as const);
  return new Map(parts.flatMap(([place, held]) => [...leaves(held, place)]));
}
