import { ExtractorError } from '../values/extractor-error.ts';
import { exactText, readExactText } from './exact-text.ts';
import { isList, type JsonValue } from '../values/json-value.ts';
import { isDeeper } from '../values/nesting.ts';
import { readMappings, type MappedRow, type MappedTable, type Mapping } from './mapping.ts';
import { layoutOf, type LayoutNames, type TableLayout } from './layout.ts';
import { Node, type Observed } from './node.ts';
import { RowWriter, type AddedValue } from './row-writer.ts';
import { safeName, UniqueNames } from './safe-name.ts';
import type { Spool } from './spool.ts';
import { tablesLimits } from './tables-limits.ts';

export interface ExtractedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey?: readonly string[];
  /** How many rows there are. */
  readonly count: number;
  /** Each reading begins anew; rows come some at a time, since a turn of an asynchronous loop costs as much as a row does. */
  readonly batches: AsyncIterable<RowBatch>;
}

export type RowBatch = readonly (readonly string[])[];

/** Items, or rows, of one line of the spool: more of them would only take memory. */
const batchLength = 100;

export interface TablesOptions {
  readonly spool: Spool;
  /** `config.mappings`. */
  readonly mappings?: JsonValue;
  readonly warn: (text: string) => void;
}

/** Rows of a table, or items, that wait in the spool. */
interface SpooledRows {
  readonly spoolName: string;
  count: number;
}

interface DataType extends SpooledRows {
  readonly name: string;
  readonly elements: Node;
  /** Names of added columns in the order of their first appearance. */
  readonly added: Set<string>;
}

/**
 * Items of JSON pages as tables. Items wait in the spool; only their structure is kept, so that each row is written by what all pages
 * together are.
 */
export class ExtractedTables {
  readonly #spool: Spool;
  readonly #types = new Map<string, DataType>();
  readonly #addedSets = new Map<string, number>();
  readonly #setNames: (readonly string[])[] = [];
  readonly #observed: Observed;
  readonly #mapped = new Map<string, MappedTable>();
  readonly #mappedSpools = new Map<string, SpooledRows>();
  readonly #mappings: ReadonlyMap<string, Mapping>;

  /** Throws an `ExtractorError` when the mappings are wrong. */
  constructor({ spool, warn, mappings }: TablesOptions) {
    this.#spool = spool;
    this.#mappings = readMappings(mappings, this.#mapped);
    const warned = new Set<string>();
    this.#observed = {
      fields: 0,
      nameCharacters: 0,
      tables: 0,
      nested: (path) => {
        if (warned.has(path)) return;
        warned.add(path);
        warn(`Converting nested array '${path}' to JSON string.`);
      },
    };
  }

  /** Items of one page, with the columns that each row gets besides. A page of nothing but one null has no row. */
  async add(dataType: string, items: readonly JsonValue[], added: readonly AddedValue[]): Promise<void> {
    if (items.length === 0 || (items.length === 1 && items[0] === null)) return;
    if (items.some((item) => isDeeper(item, tablesLimits.nesting))) {
      throw new ExtractorError(
        `Error parsing response JSON: An item of '${dataType}' has more than ${tablesLimits.nesting} levels of nesting.`,
      );
    }
    const mapping = this.#mappings.get(dataType);
    if (mapping !== undefined) return this.#map(mapping, items, { type: dataType, added });
    const type = this.#type(dataType);
    for (const { name } of added) type.added.add(name);
    const set = this.#addedSet(added.map(({ name }) => name));
    const values = added.map(({ value }) => value);
    for (let from = 0; from < items.length; from += batchLength) {
      const batch = items.slice(from, from + batchLength);
      for (const item of batch) type.elements.observe(item, this.#observed);
      type.count += batch.length;
      const appended = this.#spool.append(type.spoolName, exactText([batch, set, values]));
      if (appended !== undefined) await appended;
    }
  }

  /** Call it once, after all pages. */
  async *tables(): AsyncIterable<ExtractedTable> {
    const names: LayoutNames = { tables: new UniqueNames(), renamed: new Map() };
    for (const [key, table] of this.#mapped) {
      const { columns, primaryKey } = table;
      const name = names.tables.take(safeName(table.name));
      const { spoolName, count } = this.#mappedRows(key);
      const batches = readings(() => this.#spooledRows(spoolName));
      yield { name, columns, count, batches, ...(primaryKey.length === 0 ? {} : { primaryKey }) };
    }
    const roots = [...this.#types.values()].map((type) => ({ type, name: names.tables.take(safeName(type.name)) }));
    for (const { type, name } of roots) {
      const layout = layoutOf(type.elements, { name, path: type.name, added: [...type.added] }, names);
      const children = withChildren(layout).slice(1);
      const spooled = new Map(children.map((child, at) => [child, { spoolName: `${type.spoolName}.${at}`, count: 0 }]));
      if (children.length > 0) await this.#spoolChildren(type, layout, spooled);
      const batches = readings(() => this.#rootRows(type, layout));
      yield { name, columns: layout.columns, count: type.count, batches };
      for (const [child, { spoolName, count }] of spooled) {
        yield {
          name: child.name,
          columns: child.columns,
          count,
          batches: readings(() => this.#spooledRows(spoolName)),
        };
      }
    }
  }

  async #map(mapping: Mapping, items: readonly JsonValue[], of: Pick<MappedRow, 'type' | 'added'>): Promise<void> {
    for (const item of items) {
      const lines: [SpooledRows, string][] = [];
      const take = ({ name, columns }: MappedTable, cells: ReadonlyMap<string, string>): void => {
        lines.push([this.#mappedRows(name), JSON.stringify(columns.map((column) => cells.get(column) ?? ''))]);
      };
      mapping.write({ ...of, item, parent: undefined, take });
      for (const [rows, line] of lines) await this.#append(rows, line);
    }
  }

  #mappedRows(table: string): SpooledRows {
    const known = this.#mappedSpools.get(table);
    if (known !== undefined) return known;
    const rows = { spoolName: `mapped.${this.#mappedSpools.size}`, count: 0 };
    this.#mappedSpools.set(table, rows);
    return rows;
  }

  #append(rows: SpooledRows, line: string): void | Promise<void> {
    rows.count += 1;
    return this.#spool.append(rows.spoolName, line);
  }

  #type(name: string): DataType {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    if (++this.#observed.tables > tablesLimits.tables) {
      throw new ExtractorError(
        `The job has more than ${tablesLimits.tables} tables. Give its jobs a common 'dataType'.`,
      );
    }
    const spoolName = `items.${this.#types.size}`;
    const type = { name, spoolName, count: 0, elements: new Node(`${name}.[]`, true), added: new Set<string>() };
    this.#types.set(name, type);
    return type;
  }

  #addedSet(names: readonly string[]): number {
    const key = JSON.stringify(names);
    const known = this.#addedSets.get(key);
    if (known !== undefined) return known;
    if (this.#setNames.length >= tablesLimits.addedSets) {
      throw new ExtractorError(`The job adds more than ${tablesLimits.addedSets} different sets of columns.`);
    }
    this.#addedSets.set(key, this.#setNames.length);
    return this.#setNames.push(names) - 1;
  }

  async *#items(type: DataType): AsyncIterable<{ items: readonly JsonValue[]; added: readonly AddedValue[] }> {
    for await (const line of this.#spool.read(type.spoolName)) {
      const read = readExactText(line);
      const [items = null, set, values] = isList(read) ? read : [];
      const names = this.#setNames[Number(set)] ?? [];
      const added = names.map((name, at) => ({ name, value: (isList(values) ? values[at] : null) ?? null }));
      yield { items: isList(items) ? items : [], added };
    }
  }

  async *#rootRows(type: DataType, layout: TableLayout): AsyncIterable<RowBatch> {
    let rows: (readonly string[])[] = [];
    const writer = new RowWriter((table, cells) => {
      if (table === layout) rows.push(cells);
    });
    for await (const { items, added } of this.#items(type)) {
      for (const item of items) writer.write(layout, item, added);
      yield rows;
      rows = [];
    }
  }

  async #spoolChildren(
    type: DataType,
    layout: TableLayout,
    spooled: ReadonlyMap<TableLayout, SpooledRows>,
  ): Promise<void> {
    let lines: [SpooledRows, string][] = [];
    const writer = new RowWriter((table, cells) => {
      const rows = spooled.get(table);
      if (rows !== undefined) lines.push([rows, JSON.stringify(cells)]);
    });
    for await (const { items, added } of this.#items(type)) {
      for (const item of items) {
        writer.write(layout, item, added);
        for (const [rows, line] of lines) {
          const appended = this.#append(rows, line);
          if (appended !== undefined) await appended;
        }
        lines = [];
      }
    }
  }

  async *#spooledRows(name: string): AsyncIterable<RowBatch> {
    let batch: (readonly string[])[] = [];
    for await (const line of this.#spool.read(name)) {
      const cells = readExactText(line);
      batch.push(isList(cells) ? cells.map(String) : []);
      if (batch.length < batchLength) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}

function readings<T>(read: () => AsyncIterable<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => read()[Symbol.asyncIterator]() };
}

function withChildren(table: TableLayout): readonly TableLayout[] {
  return [table, ...table.children.flatMap(withChildren)];
}
