import { ExtractorError } from '../values/extractor-error.ts';
import { isList, isObject, type JsonValue } from '../values/json-value.ts';
import { tablesLimits } from './tables-limits.ts';

type Kind = 'null' | 'scalar' | 'object';

/** What observing shares: warnings, and what is counted against the limits. */
export interface Observed {
  fields: number;
  nameCharacters: number;
  tables: number;
  readonly nested: (path: string) => void;
}

/** What is known of all values that stand at one path, whatever page they came with. */
export class Node {
  readonly path: string;
  /** Of the values that are no arrays; all of them are of one kind, but for null. */
  kind: Kind = 'null';
  /** False while there were only empty objects, which make no column. */
  isColumn = false;
  fields = new Map<string, Node>();
  /** Of an array's elements; a single value beside arrays is an array of one. */
  elements: Node | undefined;
  readonly #isElement: boolean;

  constructor(path: string, isElement: boolean) {
    this.path = path;
    this.#isElement = isElement;
  }

  /** Throws an `ExtractorError` when the value does not go with those before. */
  observe(value: JsonValue, observed: Observed): void {
    if (!isObject(value)) this.isColumn = true;
    if (isList(value) && !this.#isElement) this.#observeList(value, observed);
    else if (this.elements !== undefined) {
      if (this.#isElementOf(this.elements, value)) this.elements.observe(value, observed);
    } else if (isList(value)) {
      observed.nested(this.path);
      this.#become('scalar');
    } else this.#observeValue(value, observed);
  }

  #observeValue(value: JsonValue, observed: Observed): void {
    const kind = kindOf(value);
    if (kind === 'null') return;
    this.#become(kind);
    if (!isObject(value)) return;
    for (const [key, field] of Object.entries(value)) this.#field(key, observed).observe(field, observed);
  }

  /** Null beside arrays is none of their elements. */
  #isElementOf(elements: Node, value: JsonValue): boolean {
    const kind = kindOf(value);
    if (kind === 'null') return false;
    if (elements.kind !== 'null' && elements.kind !== kind) throw this.#incompatible(elements.kind, kind);
    return true;
  }

  #observeList(list: readonly JsonValue[], observed: Observed): void {
    this.elements ??= this.#turnIntoArray(list, observed);
    for (const one of list) this.elements.observe(one, observed);
  }

  /** The single values until now become elements. */
  #turnIntoArray(list: readonly JsonValue[], observed: Observed): Node {
    observed.tables++;
    if (observed.tables > tablesLimits.tables) throw tooMany(this.path, 'tables', tablesLimits.tables);
    const other = list.map(kindOf).find((kind) => kind !== 'null' && kind !== this.kind);
    if (this.kind !== 'null' && other !== undefined) throw this.#incompatible(other, this.kind);
    const elements = new Node(`${this.path}.[]`, true);
    elements.kind = this.kind;
    elements.isColumn = this.kind === 'scalar';
    elements.fields = this.fields;
    this.kind = 'null';
    this.fields = new Map();
    return elements;
  }

  #become(kind: Exclude<Kind, 'null'>): void {
    if (this.kind !== 'null' && this.kind !== kind) {
      throw new ExtractorError(
        `Error parsing response JSON: Unhandled nodeType change from "${this.kind}" to "${kind}" in "${this.path}"`,
      );
    }
    this.kind = kind;
  }

  #incompatible(elements: string, single: string): ExtractorError {
    return new ExtractorError(
      `Error parsing response JSON: Data array in '${this.path}' contains incompatible types '${elements}' and '${single}'`,
    );
  }

  #field(key: string, observed: Observed): Node {
    const known = this.fields.get(key);
    if (known !== undefined) return known;
    observed.fields++;
    observed.nameCharacters += key.length;
    if (observed.fields > tablesLimits.fields) throw tooMany(this.path, 'fields', tablesLimits.fields);
    if (observed.nameCharacters > tablesLimits.nameCharacters) {
      throw tooMany(this.path, 'characters in the names of fields', tablesLimits.nameCharacters);
    }
    const field = new Node(`${this.path}.${key}`, false);
    this.fields.set(key, field);
    return field;
  }
}

/** An array in an array is its JSON text; an empty object says as little as null. */
function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null';
  if (!isObject(value)) return 'scalar';
  return Object.keys(value).length === 0 ? 'null' : 'object';
}

/** The end of a path is what it is about; keys have any length. */
function tooMany(path: string, what: string, limit: number): ExtractorError {
  const shown = path.length > 200 ? `…${path.slice(-200)}` : path;
  return new ExtractorError(
    `Error parsing response JSON: '${shown}' has more than ${limit} ${what}. Leave it out with 'mappings', or store it as text with 'responseFilter'.`,
  );
}
