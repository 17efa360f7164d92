import type { Request } from 'express';
import type { RawInput } from '../route/route.ts';

/** What a request says, as its route checks it. */
export function rawInput(request: Request, body: unknown): RawInput {
  return { params: paramsOf(request), query: queryOf(request), body };
}

function paramsOf({ params }: Request): RawInput['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]),
  );
}

/** A repeated parameter counts with its first value; of one whose name ends with `[]` all values count, joined by commas. */
function queryOf({ query }: Request): RawInput['query'] {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, given]): [string, string][] => {
      const values = [given].flat().filter((value) => typeof value === 'string');
      const [first] = values;
      if (first === undefined) return [];
      return name.endsWith('[]') ? [[name.slice(0, -2), values.join(',')]] : [[name, first]];
    }),
  );
}
