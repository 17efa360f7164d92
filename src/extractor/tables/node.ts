import { ExtractorError } from '../values/extractor-error.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { ByKey } from './by-key.ts';
import { tablesLimits } from './tables-limits.ts';

type Kind = 'null' | 'scalar' | 'object';

/** What observing shares: warnings, and what is counted against the limits. */
export interface Observed {
  /** Goes up with each value that changes what its place is. */
  changes: number;
  /** A place that had single values has become an array: rows that were written before lack those of a child table. */
  isReshaped: boolean;
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
  fields = new ByKey<Node>();
  /** Of an array's elements; a single value beside arrays is an array of one. */
  elements: Node | undefined;
  readonly #isElement: boolean;
  /** It had empty objects while it was nothing else. */
  #hadEmpty = false;

  constructor(path: string, isElement: boolean) {
    this.path = path;
    this.#isElement = isElement;
  }

  /** Throws an `ExtractorError` when the value does not go with those before. */
  observe(value: JsonValue, observed: Observed): void {
    if (!this.isColumn && !isObject(value)) {
      this.isColumn = true;
      this.#changed(observed);
    }
    if (isList(value) && !this.#isElement) this.#observeList(value, observed);
    else if (this.elements !== undefined) {
      if (this.#isElementOf(this.elements, value)) this.elements.observe(value, observed);
    } else if (isList(value)) {
      observed.nested(this.path);
      this.#become('scalar', observed);
    } else this.#observeValue(value, observed);
  }

  #observeValue(value: JsonValue, observed: Observed): void {
    const kind = kindOf(value);
    if (kind !== 'null') this.#become(kind, observed);
    if (!isObject(value)) return;
    if (kind === 'object') this.#observeFields(value, observed);
    else this.#hadEmpty ||= this.kind === 'null';
  }

  #observeFields(value: JsonObject, observed: Observed): void {
    let place = 0;
    // Objects of JSON have no fields but their own; `Object.entries` would make an array for each of them.
    // oxlint-disable-next-line guard-for-in
    for (const key in value) {
      const known = this.fields.placeOf(key, place);
      place = known < 0 ? this.#addField(key, observed) : known;
      const field = this.fields.at(place);
      place += 1;
      const inner = value[key];
      if (field === undefined || inner === undefined) continue;
      // Most values are like those before.
      if (field.kind !== 'scalar' || (typeof inner === 'object' && inner !== null)) field.observe(inner, observed);
    }
  }

  /** Null beside arrays is none of their elements. */
  #isElementOf(elements: Node, value: JsonValue): boolean {
    const kind = kindOf(value);
    if (kind === 'null') {
      if (isObject(value)) elements.#hadEmpty ||= elements.kind === 'null';
      return false;
    }
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
    if (this.kind !== 'null' || this.#hadEmpty) observed.isReshaped = true;
    this.#changed(observed);
    const elements = new Node(`${this.path}.[]`, true);
    elements.kind = this.kind;
    elements.isColumn = this.kind === 'scalar';
    elements.fields = this.fields;
    this.kind = 'null';
    this.fields = new ByKey();
    return elements;
  }

  #become(kind: Exclude<Kind, 'null'>, observed: Observed): void {
    if (this.kind === kind) return;
    if (this.kind !== 'null') {
      throw new ExtractorError(
        `Error parsing response JSON: Unhandled nodeType change from "${this.kind}" to "${kind}" in "${this.path}"`,
      );
    }
    this.kind = kind;
    this.#changed(observed);
  }

  #changed(observed: Observed): void {
    observed.changes += 1;
    // Elements that were empty objects alone have no table yet, nor does a single one beside them.
    if (this.#isElement && this.#hadEmpty) observed.isReshaped = true;
  }

  #incompatible(elements: string, single: string): ExtractorError {
    return new ExtractorError(
      `Error parsing response JSON: Data array in '${this.path}' contains incompatible types '${elements}' and '${single}'`,
    );
  }

  #addField(key: string, observed: Observed): number {
    observed.changes += 1;
    observed.fields++;
    observed.nameCharacters += key.length;
    if (observed.fields > tablesLimits.fields) throw tooMany(this.path, 'fields', tablesLimits.fields);
    if (observed.nameCharacters > tablesLimits.nameCharacters) {
      throw tooMany(this.path, 'characters in the names of fields', tablesLimits.nameCharacters);
    }
    return this.fields.add(key, new Node(`${this.path}.${key}`, false));
  }
}

/** An array in an array is its JSON text; an empty object says as little as null. */
function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null';
  if (!isObject(value)) return 'scalar';
  for (const _key in value) return 'object';
  return 'null';
}

/** The end of a path is what it is about; keys have any length. */
function tooMany(path: string, what: string, limit: number): ExtractorError {
  const shown = path.length > 200 ? `…${path.slice(-200)}` : path;
  return new ExtractorError(
    `Error parsing response JSON: '${shown}' has more than ${limit} ${what}. Leave it out with 'mappings', or store it as text with 'responseFilter'.`,
  );
}
