import { createHash } from 'node:crypto';
import { cellText, exactText } from './exact-text.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import type { ByKey } from './by-key.ts';
import { parentColumn, type Place, type TableLayout } from './layout.ts';
import { quoted } from './output-files.ts';

export interface AddedValue {
  readonly name: string;
  readonly value: JsonValue;
}

/** Cells as they stand between the quotes of a CSV line. */
export type TakeRow = (table: TableLayout, cells: readonly string[]) => void;

/** Gives the row of each item, after those of its child tables, to `take`. */
export class RowWriter {
  readonly #take: TakeRow;

  constructor(take: TakeRow) {
    this.#take = take;
  }

  write(table: TableLayout, item: JsonValue, added: readonly AddedValue[]): void {
    const cells = table.columns.map(() => '');
    for (const { name, value } of added) {
      const at = table.added.get(name);
      if (at !== undefined) cells[at] = cellOf(value);
    }
    // Keys are of rows that have children.
    const link = table.children.length === 0 ? undefined : new LinkKey(table.path, item, added);
    this.#put(item, table.row, { cells, table, link });
    this.#take(table, cells);
  }

  #put(value: JsonValue, place: Place, row: OpenRow): void {
    if (place.kind === 'cell') {
      row.cells[place.at] = isList(value) && value.length === 0 && place !== row.table.row ? '' : cellOf(value);
    } else if (place.kind === 'child') {
      const { link } = row;
      if (link !== undefined && this.#writeChildren(place.table, value, link)) row.cells[place.at] = quoted(link.text);
    } else if (isObject(value)) this.#putFields(value, place.fields, row);
  }

  #putFields(value: JsonObject, fields: ByKey<Place>, row: OpenRow): void {
    let expected = 0;
    // oxlint-disable-next-line guard-for-in
    for (const key in value) {
      const found = fields.placeOf(key, expected);
      const place = fields.at(found);
      const field = value[key];
      if (place === undefined || field === undefined) continue;
      expected = found + 1;
      // What most cells are needs nothing else.
      if (place.kind === 'cell' && typeof field === 'string') row.cells[place.at] = quoted(field);
      else this.#put(field, place, place.kind === 'fields' ? inside(row, key, field) : row);
    }
  }

  #writeChildren(child: TableLayout, value: JsonValue, link: LinkKey): boolean {
    const list = isList(value) ? value : [value];
    if (value === null || list.length === 0) return false;
    for (const one of list) this.write(child, one, [{ name: parentColumn, value: link.text }]);
    return true;
  }
}

interface OpenRow {
  readonly cells: string[];
  readonly table: TableLayout;
  /** Of the object whose fields are put. */
  readonly link: LinkKey | undefined;
}

function inside(row: OpenRow, key: string, value: JsonValue): OpenRow {
  return row.link === undefined ? row : { ...row, link: row.link.inside(key, value) };
}

function cellOf(value: JsonValue): string {
  if (isObject(value)) return Object.keys(value).length === 0 ? '' : quoted(exactText(value));
  return quoted(isList(value) ? exactText(value) : cellText(value));
}

function textOfAdded(added: readonly AddedValue[]): string {
  return exactText(added.map(({ name, value }) => [name, value]));
}

/**
 * Opaque, and the same for equal rows: the path of the table and a SHA-256 over the row as JSON text and what stands around it, the added
 * columns or the key of the enclosing object. Made only for rows that have children.
 */
class LinkKey {
  readonly #path: string;
  readonly #row: JsonValue;
  readonly #outer: readonly AddedValue[] | LinkKey;
  #text: string | undefined;

  constructor(path: string, row: JsonValue, outer: readonly AddedValue[] | LinkKey) {
    this.#path = path;
    this.#row = row;
    this.#outer = outer;
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text;
    const outer = this.#outer instanceof LinkKey ? this.#outer.text : textOfAdded(this.#outer);
    const hash = createHash('sha256').update(JSON.stringify([exactText(this.#row), outer]));
    this.#text = `${this.#path}_${hash.digest('hex').slice(0, 32)}`;
    return this.#text;
  }

  inside(key: string, row: JsonValue): LinkKey {
    return new LinkKey(`${this.#path}.${key}`, row, this);
  }
}
