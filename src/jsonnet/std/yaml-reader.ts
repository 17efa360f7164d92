import { isAlias, isMap, isScalar, isSeq, type Alias, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Evaluation } from '../evaluation.ts';
import type { JsonnetError } from '../jsonnet-error.ts';
import { chargedNumber } from '../values/number-text.ts';
import { isArray, typeName, type PlainObject, type Value } from '../values/value.ts';
import { isMergeKey, scalarValue } from './yaml-scalar.ts';

/**
 * Makes values of the nodes of one document. All aliases of an anchor share its value, so a small text cannot become
 * large by them.
 */
export class YamlReader {
  readonly #evaluation: Evaluation;
  readonly #anchors = new Map<string, Value>();
  /** Anchors whose value is being read. */
  readonly #open = new Set<string>();

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  read(node: unknown): Value {
    if (isAlias(node)) return this.#aliased(node);
    if (isScalar(node)) return this.#anchored(node, () => scalarValue(node, this.#evaluation));
    if (isSeq(node)) return this.#anchored(node, () => this.#array(node));
    if (isMap(node)) return this.#anchored(node, () => this.#object(node));
    return null;
  }

  #anchored(node: Scalar | YAMLSeq | YAMLMap, make: () => Value): Value {
    const { anchor } = node;
    if (anchor === undefined) return make();
    this.#open.add(anchor);
    const value = make();
    this.#open.delete(anchor);
    this.#anchors.set(anchor, value);
    return value;
  }

  #aliased({ source }: Alias): Value {
    if (this.#open.has(source)) throw this.#error(`anchor '${source}' value contains itself`);
    const value = this.#anchors.get(source);
    if (value === undefined) throw this.#error(`unknown anchor '${source}' referenced`);
    return value;
  }

  #array(node: YAMLSeq): Value {
    this.#evaluation.enter();
    this.#evaluation.array(node.items.length);
    const elements = node.items.map((item) => this.read(item));
    this.#evaluation.leave();
    return elements;
  }

  #object(node: YAMLMap): Value {
    this.#evaluation.enter();
    const fields = new Map<string, Value>();
    for (const { key, value } of node.items) {
      this.#evaluation.steps(1);
      if (isMergeKey(key)) this.#merge(fields, this.read(value));
      else fields.set(this.#name(key), this.read(value));
    }
    this.#evaluation.leave();
    return Object.fromEntries(fields);
  }

  /** Puts the fields of an object, or of several of which the first goes before the others, among those read so far. */
  #merge(fields: Map<string, Value>, merged: Value): void {
    const objects = isArray(merged) ? merged.toReversed() : [merged];
    for (const object of objects) {
      if (!isPlain(object)) throw this.#error('map merge requires map or sequence of maps as the value');
      const entries = Object.entries(object);
      this.#evaluation.steps(entries.length);
      for (const [name, value] of entries) fields.set(name, value);
    }
  }

  #name(node: unknown): string {
    const key = this.read(node);
    if (typeof key === 'string') return key;
    if (typeof key === 'number') return chargedNumber(key, this.#evaluation);
    if (typeof key === 'boolean') return String(key);
    throw this.#error(`invalid map key: ${typeName(key)}`);
  }

  #error(message: string): JsonnetError {
    return this.#evaluation.error(`failed to parse YAML: ${message}`);
  }
}

function isPlain(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
