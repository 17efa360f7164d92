import { isDeepStrictEqual } from 'node:util';
import type { Column } from '../../core/column.ts';
import { columnText } from '../sink/parse-column.ts';
import type { SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { declaredFields } from './declared-column.ts';

export type FieldValue = string | number | boolean | readonly string[];

/** One field that differs: what the installation has and what the file says; absent where one of them has no such field. */
export interface FieldChange {
  /** `name`, `settings.ingest.batch`, `columns.total.path`. */
  readonly field: string;
  readonly from?: FieldValue;
  readonly to?: FieldValue;
}

/** The fields in which a declared source differs from the one that is there, without those of its sinks. */
export function sourceChanges(before: SourceDeclaration, after: SourceDeclaration): readonly FieldChange[] {
  const { partitions, ...were } = sourceFields(before);
  // A file that does not name them takes them as they are.
  const isNamed = partitions !== undefined && after.partitions !== undefined;
  return changesBetween(isNamed ? { ...were, partitions } : were, sourceFields(after));
}

/** The fields in which a declared sink differs from the one that is there. */
export function sinkChanges(before: SinkDeclaration, after: SinkDeclaration): readonly FieldChange[] {
  const renames = (after.renamed ?? []).filter(
    ({ from, to }) => hasColumn(before, from) && !hasColumn(before, to) && hasColumn(after, to),
  );
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  const columns = before.columns.map((column): Column => ({ ...column, name: names.get(column.name) ?? column.name }));
  return [
    ...changesBetween(sinkFields(before), sinkFields(after)),
    ...renames.map(({ from, to }) => change(`columns.${to}.name`, from, to)),
    ...columnChanges(columns, after.columns),
  ];
}

function hasColumn({ columns }: SinkDeclaration, name: string): boolean {
  return columns.some((column) => column.name === name);
}

/** What a source that is to be made will have, without what goes without saying. */
export function sourceContent(source: SourceDeclaration): readonly FieldChange[] {
  return contentOf(sourceFields(source));
}

/** What a sink that is to be made will have, without what goes without saying. */
export function sinkContent(sink: SinkDeclaration): readonly FieldChange[] {
  return [...contentOf(sinkFields(sink)), ...columnChanges([], sink.columns)];
}

type Fields = Readonly<Record<string, FieldValue>>;

function sourceFields({ type, name, description, disabled, partitions, settings }: SourceDeclaration): Fields {
  const shared = partitions === undefined ? {} : { partitions };
  return { type, name, description, disabled, ...shared, ...settingFields(settings) };
}

function sinkFields(sink: SinkDeclaration): Fields {
  const { name, description, disabled, tableId, allowedSignals, settings } = sink;
  return { name, description, disabled, table: tableId, allowedSignals, ...settingFields(settings) };
}

function settingFields(settings: Fields): Fields {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [`settings.${key}`, value]));
}

function contentOf(fields: Fields): readonly FieldChange[] {
  const isEmpty = (value: FieldValue): boolean => value === '' || value === false || isDeepStrictEqual(value, []);
  return Object.entries(fields)
    .filter(([field, value]) => field.startsWith('settings.') || !isEmpty(value))
    .map(([field, to]) => ({ field, to }));
}

function changesBetween(before: Fields, after: Fields): readonly FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => change(field, before[field], after[field]));
}

function change(field: string, from: FieldValue | undefined, to: FieldValue | undefined): FieldChange {
  return { field, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** By name: a column that is on both sides differs in its fields, and then perhaps in its place. */
function columnChanges(before: readonly Column[], after: readonly Column[]): readonly FieldChange[] {
  const [old, wanted] = [byName(before), byName(after)];
  const removed = before.filter(({ name }) => !wanted.has(name));
  const changes = after.flatMap((column) => {
    const was = old.get(column.name);
    if (was === undefined) return [change(`columns.${column.name}`, undefined, columnText(column))];
    return changesBetween(columnFields(was), columnFields(column)).map(({ field, ...values }) => ({
      field: `columns.${column.name}.${field}`,
      ...values,
    }));
  });
  const gone = removed.map((column) => change(`columns.${column.name}`, columnText(column), undefined));
  const kept = before.filter(({ name }) => wanted.has(name)).map(({ name }) => name);
  const stays = after.filter(({ name }) => old.has(name)).map(({ name }) => name);
  const isOrdered = isDeepStrictEqual(kept, stays) && endsWithAdded(after, old);
  const order = ({ name }: Column): string => name;
  const reordered = isOrdered ? [] : [change('order of columns', before.map(order), after.map(order))];
  return [...changes, ...gone, ...reordered];
}

/** Columns that are added at the end say where they stand. */
function endsWithAdded(after: readonly Column[], old: ReadonlyMap<string, Column>): boolean {
  const firstAdded = after.findIndex(({ name }) => !old.has(name));
  return firstAdded === -1 || after.slice(firstAdded).every(({ name }) => !old.has(name));
}

function byName(columns: readonly Column[]): ReadonlyMap<string, Column> {
  return new Map(columns.map((column) => [column.name, column]));
}

function columnFields(column: Column): Fields {
  return { type: column.type, ...declaredFields(column) };
}
