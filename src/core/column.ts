import { MillraceError } from './millrace-error.ts';

/** What columns say besides type and name; which of it, their type tells. */
export interface ColumnFields {
  /** Place of a value in the body: `a.b[0]["c.d"]`. */
  readonly path: string;
  /** A JSON string loses its quotes. */
  readonly rawString: boolean;
  /** Used only when the path does not exist. */
  readonly defaultValue: string;
  readonly template: { readonly language: 'jsonnet'; readonly content: string };
}

export type ColumnField = keyof ColumnFields;

/** A flag is false unless it is given. */
export type Presence = 'needed' | 'optional' | 'flag';

type FieldsOfType = { readonly [F in ColumnField]?: ColumnFields[F] extends boolean ? 'flag' : 'needed' | 'optional' };

/**
 * The types of columns with their fields. Code that says something about each type or field does so in a table over
 * them, so that the compiler names the places where one is missing.
 */
export const columnTypes = {
  uuid: {},
  datetime: {},
  ip: {},
  body: {},
  headers: {},
  path: { path: 'needed', rawString: 'flag', defaultValue: 'optional' },
  template: { rawString: 'flag', template: 'needed' },
} as const satisfies Readonly<Record<string, FieldsOfType>>;

type ColumnTypes = typeof columnTypes;
export type ColumnType = keyof ColumnTypes;

type FieldsWith<T extends ColumnType, P extends Presence> = {
  [F in keyof ColumnTypes[T] & ColumnField]: ColumnTypes[T][F] extends P ? F : never;
}[keyof ColumnTypes[T] & ColumnField];

/** A column of one type. */
export type ColumnOf<T extends ColumnType> = {
  [P in T]: { readonly type: P; /** Unique within the mapping. */ readonly name: string } & Pick<
    ColumnFields,
    FieldsWith<P, 'needed' | 'flag'>
  > &
    Partial<Pick<ColumnFields, FieldsWith<P, 'optional'>>>;
}[T];

/** One cell's rule. */
export type Column = ColumnOf<ColumnType>;

/** A column as somebody gives it; which fields its type needs is not checked. */
export type ColumnInput = { readonly type: ColumnType; readonly name: string } & {
  readonly [F in ColumnField]?: ColumnFields[F] | undefined;
};

export const columnTypeNames = Object.keys(columnTypes) as readonly ColumnType[];

/** The fields that columns of a type have, in the order in which they are shown. */
export function fieldsOfType(type: ColumnType): readonly (readonly [ColumnField, Presence])[] {
  return Object.entries(columnTypes[type]) as readonly (readonly [ColumnField, Presence])[];
}

/** Takes the fields of its type; `input.invalid` when one that the type needs is missing. */
export function columnOf(input: ColumnInput): Column {
  const { type, name } = input;
  const given = fieldsOfType(type).flatMap(([field, presence]) => {
    const value = input[field] ?? (presence === 'flag' ? false : undefined);
    if (presence === 'needed' && (value === undefined || value === ''))
      throw new MillraceError('input.invalid', `column "${name}" is missing ${field}`);
    return value === undefined ? [] : [[field, value]];
  });
  return { type, name, ...Object.fromEntries(given) } as Column;
}
