import { isScalar, readNamedList, scalarText } from './named-list.ts';
import { VariableError } from './variable-error.ts';

/** Reads `{"values": [{"name", "value"}]}` of a row of a variable configuration, name ▸ value; `VariableError` when it is none. */
export function parseValuesRow(configuration: unknown): ReadonlyMap<string, string> {
  return new Map(
    readNamedList(configuration, { list: 'values', field: 'value', what: 'Variable values configuration' }),
  );
}

/**
 * Reads values that somebody gives for one time: `[{"name", "value"}]`, an object name ▸ value, or what a row has. Of a name that is given
 * twice the last value counts, and a value may be empty.
 */
export function parseGivenValues(given: unknown): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of namedValues(given)) {
    if (name === '') throw new VariableError('Variable name cannot be empty.');
    if (!isScalar(value))
      throw new VariableError(`The value of the variable "${name}" must be a text, a number or a boolean.`);
    values.set(name, scalarText(value));
  }
  return values;
}

function namedValues(given: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (Array.isArray(given)) return given.map(namedValue);
  if (typeof given !== 'object' || given === null)
    throw new VariableError('Values must be a list of {"name", "value"}, or an object of names and values.');
  const fields = Object.entries(given);
  const [key, list]: readonly unknown[] = fields.length === 1 ? (fields[0] ?? []) : [];
  return key === 'values' && Array.isArray(list) ? list.map(namedValue) : fields;
}

function namedValue(item: unknown, at: number): readonly [string, unknown] {
  if (typeof item !== 'object' || item === null)
    throw new VariableError(`Element ${at} of the values must be {"name", "value"}.`);
  const fields = new Map<string, unknown>(Object.entries(item));
  const name = fields.get('name') ?? '';
  if (!isScalar(name)) throw new VariableError(`The name in element ${at} of the values must be a text.`);
  return [scalarText(name), fields.get('value')];
}
