import { refuseDepth } from './configuration-text.ts';

/**
 * The configuration of a row, put on that of its configuration, as the reference does: a field replaces the field of its name, an element
 * the element at its place, and what both have is merged. Values as `parseExactJsonText` gives them.
 */
export function mergeRow(root: unknown, row: unknown, depth = 1): unknown {
  if (!isContainer(root) || !isContainer(row)) return row;
  refuseDepth(depth);
  if (Array.isArray(root) && Array.isArray(row)) {
    const merged: unknown[] = Array.from<unknown>(root);
    for (const [at, value] of row.entries())
      merged[at] = at < root.length ? mergeRow(root[at], value, depth + 1) : value;
    return merged;
  }
  // PHP has one type for both; an empty array is an object without fields.
  const merged = new Map<string, unknown>(Object.entries(root));
  for (const [key, value] of Object.entries(row))
    merged.set(key, merged.has(key) ? mergeRow(merged.get(key), value, depth + 1) : value);
  return Object.fromEntries(merged);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
