import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonValue } from '../values/json-value.ts';
import { isDeeper } from '../values/nesting.ts';
import { readMappings, type MappedRow, type MappedTable, type Mapping } from './mapping.ts';
import { layoutOf, type ColumnSource, type LayoutNames, type TableLayout } from './layout.ts';
import { Node, type Observed } from './node.ts';
import { quoted } from './output-files.ts';
import { RowWriter, type AddedValue } from './row-writer.ts';
import { safeName, UniqueNames } from './safe-name.ts';
import type { Spool } from './spool.ts';
import { SpooledPages, type ItemSource } from './spooled-pages.ts';
import { TableRows } from './table-rows.ts';
import { tablesLimits } from './tables-limits.ts';

export interface ExtractedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly primaryKey?: readonly string[];
  /** How many rows there are. */
  readonly count: number;
  /** Bytes of the longest row; 0 where none comes near `limits.rowBytes`. */
  readonly longestRow: number;
  /** The rows as lines of CSV, in pieces of some kilobytes; each call reads them again. */
  readonly csv: () => AsyncIterable<Uint8Array>;
}

export interface TablesOptions {
  readonly spool: Spool;
  /** `config.mappings`. */
  readonly mappings?: JsonValue;
  readonly warn: (text: string) => void;
}

export interface ItemPage {
  readonly dataType: string;
  readonly items: readonly JsonValue[];
  /** Columns that each row gets besides. */
  readonly added: readonly AddedValue[];
  /** Undefined: the items are written down as JSON. */
  readonly source?: ItemSource | undefined;
}

/** A page that is known to fit the ones before it. */
export interface TakenPage {
  /** Call it once, before another page is taken. Between some rows it waits for `pause`: others have their turn. */
  write(pause?: () => Promise<void>): Promise<void>;
}

interface DataType {
  readonly name: string;
  readonly spoolName: string;
  readonly elements: Node;
  /** Names of added columns in the order of their first appearance. */
  readonly added: Set<string>;
  /** What the pages until now are; undefined: another page has changed it. */
  layout: TableLayout | undefined;
  /** How often it was changed. */
  layouts: number;
  /** Of each table, by its elements. Undefined: what has come since makes rows of the items before that they lack. */
  rows: ReadonlyMap<Node, TableRows> | undefined;
}

/** A type whose pages change it more often than this has its rows written behind the last page. */
const maxLayouts = 32;

/** Items between two looks at how much text waits, and between two pauses. */
const batchLength = 250;

/**
 * Items of JSON pages as tables. Rows are written as the pages until then say; where a later page says otherwise, cells are moved at the
 * end. The pages wait in the spool for the case that this is not enough.
 */
export class ExtractedTables {
  readonly #spool: Spool;
  readonly #pages: SpooledPages;
  readonly #types = new Map<string, DataType>();
  readonly #observed: Observed;
  readonly #mapped = new Map<string, MappedTable>();
  readonly #mappedRows = new Map<string, TableRows>();
  readonly #mappings: ReadonlyMap<string, Mapping>;

  /** Throws an `ExtractorError` when the mappings are wrong. */
  constructor({ spool, warn, mappings }: TablesOptions) {
    this.#spool = spool;
    this.#pages = new SpooledPages(spool);
    this.#mappings = readMappings(mappings, this.#mapped);
    for (const [key, { columns }] of this.#mapped) {
      const rows = new TableRows(spool, `mapped.${this.#mappedRows.size}`);
      rows.begin(columns);
      this.#mappedRows.set(key, rows);
    }
    const warned = new Set<string>();
    this.#observed = {
      changes: 0,
      isReshaped: false,
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

  /** Throws an `ExtractorError` when the page does not go with those before. A page of nothing but one null has no row. */
  take(page: ItemPage): TakenPage {
    const { dataType, items, added, source } = page;
    if (items.length === 0 || (items.length === 1 && items[0] === null)) return nothing;
    const mayBeDeeper = source === undefined || source.depth > tablesLimits.nesting;
    if (mayBeDeeper && items.some((item) => isDeeper(item, tablesLimits.nesting))) {
      throw new ExtractorError(
        `Error parsing response JSON: An item of '${dataType}' has more than ${tablesLimits.nesting} levels of nesting.`,
      );
    }
    const mapping = this.#mappings.get(dataType);
    if (mapping !== undefined) return this.#map(mapping, items, { type: dataType, added });
    const type = this.#type(dataType);
    this.#observe(type, page);
    return { write: (pause) => this.#write(type, page, pause) };
  }

  /** Call it once, after all pages. */
  async *tables(): AsyncIterable<ExtractedTable> {
    const names: LayoutNames = { tables: new UniqueNames(), renamed: new Map() };
    for (const [key, { name, columns, primaryKey }] of this.#mapped) {
      const table = { name: names.tables.take(safeName(name)), columns, sources: columns };
      yield {
        ...extractedTable(table, this.#mappedRows.get(key)),
        ...(primaryKey.length === 0 ? {} : { primaryKey }),
      };
    }
    const roots = [...this.#types.values()].map((type) => ({ type, name: names.tables.take(safeName(type.name)) }));
    for (const { type, name } of roots) {
      const layout = layoutOf(type.elements, { name, path: type.name, added: [...type.added] }, names);
      const rows = type.rows ?? (await this.#writeAgain(type, layout));
      for (const table of withChildren(layout)) yield extractedTable(table, rows.get(table.elements));
    }
  }

  #map(mapping: Mapping, items: readonly JsonValue[], of: Pick<MappedRow, 'type' | 'added'>): TakenPage {
    const touched = new Set<TableRows>();
    const take = ({ name, columns }: MappedTable, cells: ReadonlyMap<string, string>): void => {
      const rows = this.#mappedRows.get(name);
      rows?.add(columns.map((column) => quoted(cells.get(column) ?? '')));
      if (rows !== undefined) touched.add(rows);
    };
    for (const item of items) mapping.write({ ...of, item, parent: undefined, take });
    return { write: () => flush(touched) };
  }

  #type(name: string): DataType {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    if (++this.#observed.tables > tablesLimits.tables) {
      throw new ExtractorError(
        `The job has more than ${tablesLimits.tables} tables. Give its jobs a common 'dataType'.`,
      );
    }
    const type: DataType = {
      name,
      spoolName: `items.${this.#types.size}`,
      elements: new Node(`${name}.[]`, true),
      added: new Set(),
      layout: undefined,
      layouts: 0,
      rows: new Map(),
    };
    this.#types.set(name, type);
    return type;
  }

  #observe(type: DataType, { items, added }: ItemPage): void {
    const observed = this.#observed;
    const [changes, columns] = [observed.changes, type.added.size];
    observed.isReshaped = false;
    this.#pages.setOf(added);
    for (const { name } of added) type.added.add(name);
    for (const item of items) type.elements.observe(item, observed);
    if (observed.changes !== changes || type.added.size !== columns) type.layout = undefined;
    if (observed.isReshaped) type.rows = undefined;
  }

  async #write(type: DataType, page: ItemPage, pause?: () => Promise<void>): Promise<void> {
    await this.#pages.append(type.spoolName, page, page.source);
    if (type.layout === undefined && ++type.layouts > maxLayouts) type.rows = undefined;
    if (type.rows === undefined) return;
    type.layout ??= layoutOf(
      type.elements,
      { name: type.name, path: type.name, added: [...type.added] },
      { tables: new UniqueNames(), renamed: new Map() },
    );
    type.rows = this.#opened(type.layout, { known: type.rows, spoolName: `rows.${type.spoolName}` });
    await writeItems(page, { layout: type.layout, rows: type.rows, pause });
  }

  /** What takes the rows of a layout, of each of its tables. */
  #opened(
    layout: TableLayout,
    { known, spoolName }: { readonly known: ReadonlyMap<Node, TableRows>; readonly spoolName: string },
  ): ReadonlyMap<Node, TableRows> {
    const opened = new Map(known);
    for (const { elements, sources } of withChildren(layout)) {
      const rows = opened.get(elements) ?? new TableRows(this.#spool, `${spoolName}.${opened.size}`);
      rows.begin(sources);
      opened.set(elements, rows);
    }
    return opened;
  }

  async #writeAgain(type: DataType, layout: TableLayout): Promise<ReadonlyMap<Node, TableRows>> {
    const rows = this.#opened(layout, { known: new Map(), spoolName: `again.${type.spoolName}` });
    for await (const page of this.#pages.read(type.spoolName)) await writeItems(page, { layout, rows });
    return rows;
  }
}

const nothing: TakenPage = { write: () => Promise.resolve() };

interface OpenTables {
  readonly layout: TableLayout;
  readonly rows: ReadonlyMap<Node, TableRows>;
  readonly pause?: (() => Promise<void>) | undefined;
}

async function writeItems(
  { items, added }: Pick<ItemPage, 'items' | 'added'>,
  { layout, rows, pause }: OpenTables,
): Promise<void> {
  const writer = new RowWriter(({ elements }, cells) => rows.get(elements)?.add(cells));
  const root = rows.get(layout.elements);
  let since = 0;
  for (const item of items) {
    writer.write(layout, item, added);
    since += 1;
    if (since < batchLength && root?.isFull !== true) continue;
    since = 0;
    await flush([...rows.values()].filter(({ isFull }) => isFull));
    await pause?.();
  }
  await flush(rows.values());
}

async function flush(rows: Iterable<TableRows>): Promise<void> {
  for (const one of rows) {
    const flushed = one.flush();
    if (flushed !== undefined) await flushed;
  }
}

function extractedTable(
  { name, columns, sources }: Pick<TableLayout, 'name' | 'columns'> & { readonly sources: readonly ColumnSource[] },
  rows: TableRows | undefined,
): ExtractedTable {
  if (rows === undefined) return { name, columns, count: 0, longestRow: 0, csv: async function* () {} };
  return { name, columns, count: rows.count, longestRow: rows.longest(sources), csv: () => rows.csv(sources) };
}

function withChildren(table: TableLayout): readonly TableLayout[] {
  return [table, ...table.children.flatMap(withChildren)];
}
