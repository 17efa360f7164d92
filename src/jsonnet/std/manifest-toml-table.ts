import type { Evaluation } from '../evaluation.ts';
import type { TextBuilder } from './text-builder.ts';
import type { ValuePath } from '../manifest/value-path.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isObject, type ArrayValue, type ObjectValue, type Value } from '../values/value.ts';
import { tomlKey, writeTomlValue } from './manifest-toml-value.ts';

export interface TomlPlace {
  readonly builder: TextBuilder;
  readonly evaluation: Evaluation;
  /** Added before each line for each level. */
  readonly indent: string;
  /** What stands before each line of this level. */
  readonly margin: string;
  /** The keys to this table, joined with dots. */
  readonly header: string;
  readonly path: ValuePath | undefined;
}

/** Writes the fields of a table: first its values, then its sections, each after an empty line. */
export function writeTomlTable(table: ObjectValue, place: TomlPlace): void {
  const { builder, evaluation, margin } = place;
  evaluation.enter();
  const names = visibleFields(table, evaluation);
  const sections: (readonly [string, Section])[] = [];
  let written = 0;
  for (const name of names) {
    const value = fieldValue(table, name, evaluation) ?? null;
    const section = sectionOf(value, evaluation);
    if (section !== undefined) {
      sections.push([name, section]);
      continue;
    }
    if (written++ > 0) builder.append('\n');
    builder.append(margin).append(tomlKey(name)).append(' = ');
    writeTomlValue(value, { ...place, path: { parent: place.path, key: name } });
  }
  for (const [name, section] of sections) {
    builder.append('\n\n');
    writeSection(section, { ...place, header: joinKeys(place.header, name), path: { parent: place.path, key: name } });
  }
  evaluation.leave();
}

/** What has a header of its own: a table, or an array of at least one and nothing but tables. */
type Section =
  | { readonly kind: 'table'; readonly table: ObjectValue }
  | { readonly kind: 'tables'; readonly tables: readonly ObjectValue[] };

function sectionOf(value: Value, evaluation: Evaluation): Section | undefined {
  if (isObject(value)) return { kind: 'table', table: value };
  if (!isArray(value) || value.length === 0) return undefined;
  const tables = tablesOf(value, evaluation);
  return tables && { kind: 'tables', tables };
}

function tablesOf(array: ArrayValue, evaluation: Evaluation): readonly ObjectValue[] | undefined {
  evaluation.steps(array.length);
  const tables: ObjectValue[] = [];
  for (const slot of array) {
    const element = evaluation.force(slot);
    if (!isObject(element)) return undefined;
    tables.push(element);
  }
  return tables;
}

function writeSection(section: Section, place: TomlPlace): void {
  switch (section.kind) {
    case 'table':
      writeHeaded(section.table, `[${place.header}]`, place);
      break;
    case 'tables':
      section.tables.forEach((table, index) => {
        if (index > 0) place.builder.append('\n\n');
        writeHeaded(table, `[[${place.header}]]`, { ...place, path: { parent: place.path, key: index } });
      });
      break;
    default:
      section satisfies never;
  }
}

function writeHeaded(table: ObjectValue, header: string, place: TomlPlace): void {
  const { builder, evaluation, margin, indent } = place;
  builder.append(margin).append(header);
  if (visibleFields(table, evaluation).length > 0) builder.append('\n');
  writeTomlTable(table, { ...place, margin: margin + indent });
}

function joinKeys(header: string, name: string): string {
  return header === '' ? tomlKey(name) : `${header}.${tomlKey(name)}`;
}
