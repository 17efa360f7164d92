import { refuseDepth } from './configuration-text.ts';
import { isScalar, scalarText, type Scalar } from './named-list.ts';
import { VariableError } from './variable-error.ts';

/** A row of shared code, and what takes the place of `{{id}}`. */
export interface SharedCode {
  readonly id: string;
  readonly content: readonly Scalar[];
}

/** Reads `{"code_content", "variables_id"?}` of a row, undefined when it is not there; `VariableError` says what is wrong. */
export function parseSharedCode(id: string, row: unknown): SharedCode {
  if (row === undefined) throw new VariableError(`Shared code configuration cannot be read: Row ${id} not found`);
  const fields = new Map<string, unknown>(typeof row === 'object' && row !== null ? Object.entries(row) : []);
  const content = fields.get('code_content');
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (list.length === 0 || !list.every(isScalar))
    throw new VariableError(
      `Shared code configuration is invalid: The path "configuration.code_content" of the row "${id}" must be a list of texts that is not empty.`,
    );
  return { id, content: list };
}

/** For the log of the job. */
export function sharedCodeNote(codes: readonly SharedCode[]): string {
  return `Loaded shared code snippets with ids: "${codes.map(({ id }) => id).join(', ')}".`;
}

const placeholder = /\{\{([ a-zA-Z0-9_-]+)\}\}/g;

/** D8: a row may be named in each of many elements, and have many of its own. */
const mostElements = 100_000;

/**
 * Puts shared code into a configuration that `render` may take: in an array of nothing but scalars, each element that holds `{{id}}` gives
 * way to the content of that row, of several in the order of `codes`. Nothing else changes. Throws `VariableError` where that makes more
 * than 100,000 elements.
 */
export function spliceSharedCode(value: unknown, codes: readonly SharedCode[]): unknown {
  if (codes.length === 0) return value;
  return splice(value, { places: new Map(codes.map((code, at) => [code.id, { code, at }])), made: 0 }, 1);
}

interface Splicing {
  readonly places: ReadonlyMap<string, { readonly code: SharedCode; readonly at: number }>;
  /** Elements so far. */
  made: number;
}

function splice(value: unknown, splicing: Splicing, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  refuseDepth(depth);
  const inner = (one: unknown): unknown => splice(one, splicing, depth + 1);
  if (!Array.isArray(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  if (!value.every(isScalar)) return value.map(inner);
  return value.flatMap((element) => contentFor(element, splicing) ?? [element]);
}

/** Undefined for an element that names no row. */
function contentFor(element: Scalar, splicing: Splicing): readonly Scalar[] | undefined {
  const names = new Set(Array.from(scalarText(element).matchAll(placeholder), ([, name = '']) => name.trim()));
  const named = [...names].map((name) => splicing.places.get(name)).filter((place) => place !== undefined);
  if (named.length === 0) return undefined;
  const contents = named.toSorted((one, other) => one.at - other.at).map(({ code }) => code.content);
  splicing.made += contents.reduce((sum, { length }) => sum + length, 0);
  if (splicing.made <= mostElements) return contents.flat();
  throw new VariableError(`Shared code makes more than ${mostElements} elements in arrays of the configuration.`);
}
