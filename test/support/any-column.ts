import * as fc from 'fast-check';
import { columnOf, columnTypeNames, fieldsOfType, type Column, type ColumnFields } from '../../src/core/column.ts';

export interface AnyColumnOptions {
  readonly name: fc.Arbitrary<string>;
  readonly path: fc.Arbitrary<string>;
  readonly defaultValue: fc.Arbitrary<string>;
  /** Text of a template. */
  readonly template: fc.Arbitrary<string>;
}

/** A column of any type, each with the fields of its type. */
export function anyColumn({ name, path, defaultValue, template }: AnyColumnOptions): fc.Arbitrary<Column> {
  const fields: { readonly [F in keyof ColumnFields]: fc.Arbitrary<ColumnFields[F]> } = {
    path,
    rawString: fc.boolean(),
    defaultValue,
    template: fc.record({ language: fc.constant('jsonnet'), content: template }),
  };
  const ofType = columnTypeNames.map((type) => {
    const own = fieldsOfType(type);
    const some = own.filter(([, presence]) => presence !== 'optional').map(([field]) => field);
    const given = Object.fromEntries(own.map(([field]) => [field, fields[field]] as const));
    return fc
      .tuple(name, fc.record<Partial<ColumnFields>, never>(given, { requiredKeys: some as never[] }))
      .map(([called, said]) => columnOf({ type, name: called, ...said }));
  });
  return fc.oneof(...ofType);
}
