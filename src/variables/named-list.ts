import { VariableError } from './variable-error.ts';

/** The shape `{"<list>": [{"name", "<field>"}]}` of a stored configuration, both scalar and not empty. */
export interface NamedList {
  readonly list: 'variables' | 'values';
  readonly field: 'type' | 'value';
  /** Begins each message. */
  readonly what: string;
}

export type Scalar = string | number | bigint | boolean;

/** Reads such a configuration in order; throws `VariableError` in the words of the reference. */
export function readNamedList(configuration: unknown, shape: NamedList): readonly (readonly [string, string])[] {
  const { list, field } = shape;
  const fields = fieldsOf(configuration, { ...shape, path: 'configuration', known: [list] });
  const items = fields[list] ?? [];
  if (!Array.isArray(items)) throw wrongType(shape, { path: `configuration.${list}`, wanted: 'array', value: items });
  return items.map((item: unknown, at) => {
    const path = `configuration.${list}.${at}`;
    const found = fieldsOf(item, { ...shape, path, known: ['name', field] });
    return [textOf(found, 'name', { ...shape, path }), textOf(found, field, { ...shape, path })] as const;
  });
}

/** The text that PHP makes of a scalar: true is `1` and false is empty. */
export function scalarText(value: Scalar): string {
  if (typeof value === 'boolean') return value ? '1' : '';
  return String(value);
}

export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

interface Place extends NamedList {
  readonly path: string;
}

function fieldsOf(
  value: unknown,
  { known, path, ...shape }: Place & { readonly known: readonly string[] },
): Readonly<Partial<Record<string, unknown>>> {
  // PHP has one type for both: an empty array is an object without fields.
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && value.length > 0))
    throw wrongType(shape, { path, wanted: 'array', value });
  const fields = new Map(Object.entries(value));
  const unknown = [...fields.keys()].filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const available = known.length === 1 ? 'Available option is' : 'Available options are';
    throw new VariableError(
      `${shape.what} is invalid: Unrecognized option${unknown.length === 1 ? '' : 's'} "${unknown.join(', ')}" under "${path}". ` +
        `${available} ${known.map((key) => `"${key}"`).join(', ')}.`,
    );
  }
  return Object.fromEntries(fields);
}

function textOf(fields: Readonly<Partial<Record<string, unknown>>>, field: string, place: Place): string {
  const { what, path } = place;
  const value = fields[field];
  if (value === undefined)
    throw new VariableError(`${what} is invalid: The child config "${field}" under "${path}" must be configured.`);
  if (value === null || value === '')
    throw new VariableError(
      `${what} is invalid: The path "${path}.${field}" cannot contain an empty value, but got ${value === null ? 'null' : '""'}.`,
    );
  if (!isScalar(value)) throw wrongType(place, { path: `${path}.${field}`, wanted: 'scalar', value });
  return scalarText(value);
}

function wrongType(
  { what }: Pick<NamedList, 'what'>,
  { path, wanted, value }: { readonly path: string; readonly wanted: string; readonly value: unknown },
): VariableError {
  return new VariableError(
    `${what} is invalid: Invalid type for path "${path}". Expected "${wanted}", but got "${typeName(value)}".`,
  );
}

function typeName(value: unknown): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    case 'bigint':
      return 'int';
    case 'object':
      return value === null ? 'null' : 'array';
    default:
      return typeof value;
  }
}
