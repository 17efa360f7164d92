import { createHash } from 'node:crypto';
import { cellText, exactText } from './exact-text.ts';
import { fieldOf, isList, isObject, type JsonValue } from '../values/json-value.ts';
import { parentColumn, type Place, type TableLayout } from './layout.ts';

export interface AddedValue {
  readonly name: string;
  readonly value: JsonValue;
}

export type TakeRow = (table: TableLayout, cells: readonly string[]) => void;

/** Gives the row of each item, after those of its child tables, to `take`. */
export class RowWriter {
  readonly #take: TakeRow;

  constructor(take: TakeRow) {
    this.#take = take;
  }

  write(table: TableLayout, item: JsonValue, added: readonly AddedValue[]): void {
    const cells = Array.from(table.columns, () => '');
    for (const { name, value } of added) {
      const at = table.added.get(name);
      if (at !== undefined) cells[at] = textOf(value);
    }
    const write = (place: Place, value: JsonValue | undefined, link: LinkKey): void => {
      if (value === undefined) return;
      if (place.kind === 'cell') {
        cells[place.at] = isList(value) && value.length === 0 && place !== table.row ? '' : textOf(value);
      } else if (place.kind === 'child') {
        if (this.#writeChildren(place.table, value, link)) cells[place.at] = link.text;
      } else if (isObject(value)) {
        for (const [key, inner] of place.fields) {
          const field = fieldOf(value, key);
          write(inner, field, inner.kind === 'fields' ? link.inside(key, field) : link);
        }
      }
    };
    write(table.row, item, new LinkKey(table.path, item, added));
    this.#take(table, cells);
  }

  #writeChildren(child: TableLayout, value: JsonValue, link: LinkKey): boolean {
    const list = isList(value) ? value : [value];
    if (value === null || list.length === 0) return false;
    for (const one of list) this.write(child, one, [{ name: parentColumn, value: link.text }]);
    return true;
  }
}

function textOf(value: JsonValue): string {
  if (isObject(value)) return Object.keys(value).length === 0 ? '' : exactText(value);
  return isList(value) ? exactText(value) : cellText(value);
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

  inside(key: string, row: JsonValue | undefined): LinkKey {
    return new LinkKey(`${this.#path}.${key}`, row ?? null, this);
  }
}
