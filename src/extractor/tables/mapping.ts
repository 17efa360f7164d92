import { createHash } from 'node:crypto';
import { ExtractorError } from '../values/extractor-error.ts';
import { cellText, exactText } from './exact-text.ts';
import { isList, isObject, valueAt, type JsonValue } from '../values/json-value.ts';
import { isEmpty } from '../values/loose.ts';
import type { AddedValue } from './row-writer.ts';

/** A table that mappings define; mappings that name the same one share it. */
export interface MappedTable {
  readonly name: string;
  readonly columns: string[];
  readonly primaryKey: string[];
}

type Cells = Map<string, string>;
export type TakeMapped = (table: MappedTable, cells: ReadonlyMap<string, string>) => void;

/** An item on its way into a table. */
export interface MappedRow {
  readonly type: string;
  readonly item: JsonValue;
  readonly added: readonly AddedValue[];
  readonly parent: readonly [string, string] | undefined;
  readonly take: TakeMapped;
}

type Write = (cells: Cells, row: MappedRow) => void;

interface Child {
  readonly destination: string;
  readonly disabled: boolean;
  readonly linkColumn: string;
}

/** The column of a child table that leads to its parent. */
interface ParentLink {
  readonly column: string;
  readonly inKey: boolean;
}

interface Place {
  /** All tables of all mappings. */
  readonly tables: Map<string, MappedTable>;
  readonly parent?: ParentLink | undefined;
}

/** The mapping of one table, checked. */
export class Mapping {
  readonly table: MappedTable;
  readonly #writes: Write[] = [];
  readonly #keys: ((row: MappedRow) => JsonValue | undefined)[] = [];
  readonly #tables: Map<string, MappedTable>;
  /** Rows of child tables name the primary key then; a column with a link of its own is needed otherwise. */
  readonly #hasKey: boolean;

  constructor(definition: JsonValue, table: MappedTable, { tables, parent }: Place) {
    if (!isObject(definition)) throw new ExtractorError(`The mapping of '${table.name}' must be an object.`);
    this.table = table;
    this.#tables = tables;
    const entries = Object.entries(definition).map(([path, one]) => ({ path, settings: settingsOf(path, one) }));
    this.#hasKey = parent?.inKey === true || entries.some(({ settings }) => isInKey(settings));
    // Columns keep the order of the mapping, those with a link to a child table too.
    for (const { path, settings } of entries) {
      if (settings['type'] === 'table') this.#child(path, settings);
      else this.#column(path, settings);
    }
    if (parent !== undefined) this.#link(parent);
  }

  #link({ column, inKey }: ParentLink): void {
    addTo(this.table.columns, column);
    if (!inKey) return;
    addTo(this.table.primaryKey, column);
    this.#keys.push((row) => row.parent?.[1]);
  }

  write(row: MappedRow): void {
    const cells: Cells = new Map();
    for (const write of this.#writes) write(cells, row);
    if (row.parent !== undefined && !cells.has(row.parent[0])) cells.set(...row.parent);
    row.take(this.table, cells);
  }

  #column(path: string, settings: Readonly<Record<string, JsonValue>>): void {
    const { destination } = isObject(settings['mapping']) ? settings['mapping'] : {};
    if (typeof destination !== 'string' || destination === '') {
      throw new ExtractorError(`Key 'mapping.destination' is not set for column '${path}'.`);
    }
    const read = settings['type'] === 'user' ? userValue(path) : itemValue(path, settings['delimiter']);
    addTo(this.table.columns, destination);
    if (isInKey(settings)) {
      addTo(this.table.primaryKey, destination);
      this.#keys.push(read);
    }
    const isDate = settings['type'] === 'date';
    this.#writes.push((cells, row) => {
      const value = read(row) ?? null;
      cells.set(destination, columnText(value, { destination, force: !isEmpty(settings['forceType']), isDate, row }));
    });
  }

  #child(path: string, settings: Readonly<Record<string, JsonValue>>): void {
    const { destination, tableMapping } = settings;
    const parentKey = isObject(settings['parentKey']) ? settings['parentKey'] : {};
    if (typeof destination !== 'string' || destination === '') {
      throw new ExtractorError(`Key 'destination' is not set for table '${path}'.`);
    }
    const disabled = !isEmpty(parentKey['disable']);
    const own = destination === this.table.name;
    if (own && !disabled)
      throw new ExtractorError(`'parentKey.disable' must be true to parse child values into parent's table`);
    if (own && isItem(path)) {
      throw new ExtractorError(`The item itself, '${path}', cannot be a child row of its own table '${destination}'.`);
    }
    if (!own && tableMapping === undefined)
      throw new ExtractorError(`Key 'tableMapping' is not set for table '${path}'.`);
    const named = parentKey['destination'];
    const linkColumn = typeof named === 'string' && named !== '' ? named : `${this.table.name}_pk`;
    const link: ParentLink = { column: linkColumn, inKey: !isEmpty(parentKey['primaryKey']) };
    const place: Place = { tables: this.#tables, parent: disabled ? undefined : link };
    const mapping = own ? this : new Mapping(tableMapping ?? null, tableOf(this.#tables, destination), place);
    if (!disabled && !this.#hasKey) addTo(this.table.columns, destination);
    const child: Child = { destination, disabled, linkColumn };
    const read = itemValue(path, settings['delimiter']);
    this.#writes.push((cells, row) => this.#writeChild(cells, row, { child, mapping, value: read(row) }));
  }

  #writeChild(
    cells: Cells,
    row: MappedRow,
    of: { child: Child; mapping: Mapping; value: JsonValue | undefined },
  ): void {
    const { child, mapping, value = null } = of;
    const list = isList(value) ? value : [value];
    // Without a key, what PHP calls empty has no child rows: 0, false and empty text too. With one, a value that is null or not there has a
    // row with the key alone; in the table of the item itself that would be a row of that row, and so on without an end.
    if (list.length === 0 || (!this.#hasKey && isEmpty(value)) || (value === null && mapping === this)) return;
    const link = child.disabled ? undefined : this.#linkOf(row);
    if (link !== undefined && !this.#hasKey) cells.set(child.destination, link);
    const parent = link === undefined ? undefined : ([child.linkColumn, link] as const);
    for (const item of list) mapping.write({ ...row, item, parent });
  }

  #linkOf(row: MappedRow): string {
    if (!this.#hasKey) {
      const text = exactText([row.item, row.added.map(({ name, value }) => [name, value])]);
      return createHash('sha256').update(text).digest('hex').slice(0, 32);
    }
    const values = this.#keys.map((read) => read(row) ?? null);
    return values.map(keyText).join(',');
  }
}

/** Checks `config.mappings`; all tables of all mappings are in `tables` then. */
export function readMappings(mappings: JsonValue | undefined, tables: Map<string, MappedTable>): Map<string, Mapping> {
  if (mappings === undefined || mappings === null || (isList(mappings) && mappings.length === 0)) return new Map();
  if (!isObject(mappings)) throw new ExtractorError(`'config.mappings' must be an object.`);
  return new Map(
    Object.entries(mappings).map(([type, one]) => [type, new Mapping(one, tableOf(tables, type), { tables })]),
  );
}

function tableOf(tables: Map<string, MappedTable>, name: string): MappedTable {
  const table = tables.get(name) ?? { name, columns: [], primaryKey: [] };
  tables.set(name, table);
  return table;
}

function settingsOf(path: string, value: JsonValue): Readonly<Record<string, JsonValue>> {
  if (typeof value === 'string') return { mapping: { destination: value } };
  if (isObject(value)) return value;
  throw new ExtractorError(`The mapping of '${path}' must be a text or an object.`);
}

function isInKey(settings: Readonly<Record<string, JsonValue>>): boolean {
  const { mapping } = settings;
  return settings['type'] !== 'table' && isObject(mapping) && !isEmpty(mapping['primaryKey']);
}

/** An item without fields is the value of any path. */
function itemValue(path: string, delimiter: JsonValue | undefined): (row: MappedRow) => JsonValue | undefined {
  if (isItem(path)) return ({ item }) => item;
  const at = typeof delimiter === 'string' && delimiter !== '' ? delimiter : '.';
  return ({ item }) => (isList(item) || isObject(item) ? valueAt(item, path, at) : item);
}

function isItem(path: string): boolean {
  return path === '' || path === '.';
}

function userValue(name: string): (row: MappedRow) => JsonValue | undefined {
  return ({ added }) => added.findLast((one) => one.name === name)?.value;
}

interface ColumnOf {
  readonly destination: string;
  readonly force: boolean;
  readonly isDate: boolean;
  readonly row: MappedRow;
}

function columnText(value: JsonValue, { destination, force, isDate, row }: ColumnOf): string {
  if (isList(value) || isObject(value)) {
    if (force) return exactText(value);
    const shown = exactText(value).slice(0, 200);
    throw new ExtractorError(
      `Error saving '${row.type}' data to CSV column: Error writing '${destination}' column: Cannot write data into column: ${shown}`,
    );
  }
  return isDate && typeof value === 'string' ? unixTime(value) : cellText(value);
}

function keyText(value: JsonValue): string {
  if (!isList(value) && !isObject(value)) return cellText(value);
  throw new ExtractorError(
    `Only scalar values are allowed in primary key. Primary key: ${exactText(value).slice(0, 200)}`,
  );
}

/** In seconds; a date without a zone is UTC; other text stays. */
function unixTime(text: string): string {
  const [, day, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  const iso = `${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`;
  const milliseconds = Date.parse(day === undefined && /\b(GMT|UTC|[+-]\d{4})$/.test(text) ? text : iso);
  return Number.isNaN(milliseconds) ? text : String(Math.floor(milliseconds / 1000));
}

function addTo(names: string[], name: string): void {
  if (!names.includes(name)) names.push(name);
}
