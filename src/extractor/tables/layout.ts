import { ByKey } from './by-key.ts';
import type { Node } from './node.ts';
import { safeColumnName, safeName, UniqueNames } from './safe-name.ts';

/** Where a value of a row goes. */
export type Place =
  | { readonly kind: 'cell'; readonly at: number }
  | { readonly kind: 'fields'; readonly fields: ByKey<Place> }
  | { readonly kind: 'child'; readonly at: number; readonly table: TableLayout };

/** The final form of one table. Scalars and nested arrays stand in the column `data`. */
export interface TableLayout {
  readonly name: string;
  readonly columns: readonly string[];
  /** What each column is of, whatever place it has: a field, or an added value by its name; none where a table has no columns. */
  readonly sources: readonly ColumnSource[];
  /** All rows of the table together. */
  readonly elements: Node;
  readonly row: Place;
  /** Of its link keys: the dotted path without `[]`. */
  readonly path: string;
  /** The column of each added value, by its name. */
  readonly added: ReadonlyMap<string, number>;
  readonly children: readonly TableLayout[];
}

export type ColumnSource = Node | string;

export interface LayoutNames {
  readonly tables: UniqueNames;
  /** An added column that had to be renamed keeps its other name in all later tables of the run. */
  readonly renamed: Map<string, string>;
}

interface NewTable {
  readonly name: string;
  readonly path: string;
  /** Names of added columns. */
  readonly added: readonly string[];
}

export const parentColumn = 'JSON_parentId';

/** The layout of the table of `elements`; its own name was taken by the caller, those of its children are taken here. */
export function layoutOf(elements: Node, table: NewTable, names: LayoutNames): TableLayout {
  const columns: string[] = [];
  const sources: ColumnSource[] = [];
  const unique = new UniqueNames();
  const children: TableLayout[] = [];

  function column(name: string, source: ColumnSource): number {
    sources.push(source);
    return columns.push(unique.take(name)) - 1;
  }

  function placeOf(node: Node, path: readonly string[]): Place | undefined {
    if (node.elements !== undefined) return placeOfList(node, node.elements, path);
    if (node.kind !== 'object') {
      return node.isColumn ? { kind: 'cell', at: column(safeColumnName(path.join('.')), node) } : undefined;
    }
    const fields = new ByKey<Place>();
    for (const [key, field] of node.fields) {
      const place = placeOf(field, [...path, key]);
      if (place !== undefined) fields.add(key, place);
    }
    return { kind: 'fields', fields };
  }

  function placeOfList(node: Node, list: Node, path: readonly string[]): Place {
    const at = column(safeColumnName(path.join('.')), node);
    if (list.kind === 'null' && !list.isColumn) return { kind: 'cell', at };
    const childPath = [table.path, ...path].join('.');
    const child = { name: names.tables.take(safeName(childPath)), path: childPath, added: [parentColumn] };
    const layout = layoutOf(list, child, names);
    children.push(layout);
    return { kind: 'child', at, table: layout };
  }

  let row: Place = { kind: 'fields', fields: new ByKey() };
  if (elements.kind === 'object') row = placeOf(elements, []) ?? row;
  else if (elements.isColumn) row = { kind: 'cell', at: column('data', elements) };
  const places = new Map<string, number>();
  for (const name of table.added) {
    const known = names.renamed.get(name) ?? safeName(name);
    const at = column(known, name);
    places.set(name, at);
    if (name !== parentColumn && columns[at] !== safeName(name)) names.renamed.set(name, columns[at] ?? known);
  }
  if (columns.length === 0) columns.push('');
  return { name: table.name, columns, sources, elements, row, path: table.path, added: places, children };
}
