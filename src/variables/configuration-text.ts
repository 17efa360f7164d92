import { invalidConfiguration } from './variable-error.ts';

/** As deep as the reference reads and writes JSON. */
const deepest = 512;

/**
 * The compact JSON text of what `parseExactJsonText` gives: it reads back as the same value, whole numbers digit by digit. Throws
 * `VariableError` for what is nested deeper than 512.
 */
export function configurationText(value: unknown, emptyObject = '{}', depth = 1): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return numberText(value);
    case 'object':
      break;
    default:
      return String(value);
  }
  if (value === null) return 'null';
  refuseDepth(depth);
  const inner = (one: unknown): string => configurationText(one, emptyObject, depth + 1);
  if (Array.isArray(value)) return `[${value.map(inner).join(',')}]`;
  const fields = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${inner(one)}`);
  return fields.length === 0 ? emptyObject : `{${fields.join(',')}}`;
}

export function refuseDepth(depth: number): void {
  if (depth > deepest) throw invalidConfiguration('Maximum stack depth exceeded');
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  // What a text like 1e400 was read as.
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}1e999`;
}
