import { ApiError } from '../errors/api-error.ts';

/** Both are above the largest body that any endpoint needs: a source with its 100 sinks of 100 columns. */
const maxValues = 100_000;
const maxLevels = 32;

/**
 * D8: refuses JSON of more values or more levels than any endpoint has use for, before a schema looks at it: each wrong
 * value costs a schema a hundred times its bytes.
 */
export function checkExtent(body: unknown): void {
  let values = 0;
  let level: readonly unknown[] = [body];
  for (let levels = 0; level.length > 0; levels += 1) {
    values += level.length;
    if (levels > maxLevels)
      throw new ApiError('decodePayload', `the body has more than ${maxLevels} levels of arrays and objects`);
    if (values > maxValues)
      throw new ApiError('decodePayload', `the body has more than ${maxValues} values in its arrays and objects`);
    level = level.flatMap(valuesIn);
  }
}

function valuesIn(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
