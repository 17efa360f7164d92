import type { Evaluation } from '../evaluation.ts';
import { chargeSorting } from './charge-sorting.ts';
import { compareText } from './compare-text.ts';
import type { Frame } from './frame.ts';
import { LayerIndex } from './layer-index.ts';
import type { Field, FieldListing, FixedFields, Layer } from './layer.ts';
import type { Value } from './value.ts';

/** Up to so many layers are searched one after the other, more through an index. */
const searchedLayers = 6;

/**
 * An object of layers, the lowest first: each literal is a layer, `+` puts the layers of the right operand on those of
 * the left. `self` is the whole object in all of them, so a field is computed once for each object, not for each layer.
 */
export class JsonnetObject {
  readonly layers: readonly Layer[];
  /** The fields by index, of an object that is one literal with fixed names. */
  readonly fixed: FixedFields | undefined;
  #scopes: (Frame | undefined)[] | undefined;
  #values: Map<string, Value> | undefined;
  /** The values of fixed fields. */
  #slots: (Value | undefined)[] | undefined;
  /** Values that `super` found, by depth and name. */
  #below: Map<string, Value> | undefined;
  #index: LayerIndex | undefined;
  /** What `isVisible` said, of an object with many layers. */
  #visible: Map<string, boolean> | undefined;
  #listing: FieldListing | undefined;
  #asserted: boolean;

  constructor(layers: readonly Layer[]) {
    this.layers = layers;
    this.fixed = layers.length === 1 ? layers[0]?.fixed : undefined;
    this.#asserted = layers.length === 1 ? layers[0]?.hasAsserts !== true : !layers.some((layer) => layer.hasAsserts);
  }

  /** The value of a field, hidden or not; `undefined` when there is none. Checks the asserts first. */
  get(name: string, evaluation: Evaluation): Value | undefined {
    if (!this.#asserted) this.checkAsserts(evaluation);
    if (this.fixed !== undefined) {
      const index = this.fixed.indexes.get(name);
      return index === undefined ? undefined : this.getFixed(this.fixed, index, evaluation);
    }
    const known = this.#values?.get(name);
    if (known !== undefined) return known;
    const value = this.#read(name, this.layers.length, evaluation);
    if (value === undefined) return undefined;
    this.#values ??= new Map();
    this.#values.set(name, value);
    return value;
  }

  /** The value of a field by its index in `fixed`. Does not check the asserts. */
  getFixed(fixed: FixedFields, index: number, evaluation: Evaluation): Value | undefined {
    this.#slots ??= [];
    const known = this.#slots[index];
    if (known !== undefined) return known;
    evaluation.enter();
    // There is nothing below that `+:` could add to.
    const value = fixed.fields[index]?.read(this, 0, evaluation);
    evaluation.leave();
    this.#slots[index] = value;
    return value;
  }

  /** The value that the layers under `depth` give a field, with this whole object as `self`. */
  getBelow(name: string, depth: number, evaluation: Evaluation): Value | undefined {
    const found = this.#depthOf(name, depth, evaluation);
    const key = `${found} ${name}`;
    const known = this.#below?.get(key);
    if (known !== undefined || found < 0) return known;
    const value = this.#read(name, found + 1, evaluation);
    if (value === undefined) return undefined;
    this.#below ??= new Map();
    this.#below.set(key, value);
    return value;
  }

  /** Whether there is such a field, hidden or not. */
  has(name: string, evaluation: Evaluation): boolean {
    return this.#depthOf(name, this.layers.length, evaluation) >= 0;
  }

  hasBelow(name: string, depth: number, evaluation: Evaluation): boolean {
    return this.#depthOf(name, depth, evaluation) >= 0;
  }

  isVisible(name: string, evaluation: Evaluation): boolean {
    if (this.layers.length <= searchedLayers) return this.#isVisibleBelow(name, this.layers.length, evaluation);
    if (!this.has(name, evaluation)) return false;
    this.#visible ??= new Map();
    const known = this.#visible.get(name) ?? this.#isVisibleBelow(name, this.layers.length, evaluation);
    this.#visible.set(name, known);
    return known;
  }

  /** The names of the fields, sorted by code point. */
  listing(evaluation: Evaluation): FieldListing {
    this.#listing ??= this.#list(evaluation);
    return this.#listing;
  }

  /** Throws when an assert does not hold; asserts are checked once, at the first use of the object. */
  checkAsserts(evaluation: Evaluation): void {
    if (this.#asserted) return;
    this.#asserted = true;
    for (let depth = this.layers.length - 1; depth >= 0; depth--) {
      const layer = this.layers[depth];
      if (layer?.hasAsserts === true) layer.checkAsserts(this, depth, evaluation);
    }
  }

  /** The frame that the fields of one layer share within this object. */
  scope(depth: number): Frame | undefined {
    return this.#scopes?.[depth];
  }

  keepScope(depth: number, scope: Frame): void {
    this.#scopes ??= [];
    this.#scopes[depth] = scope;
  }

  #isVisibleBelow(name: string, below: number, evaluation: Evaluation): boolean {
    let found = false;
    let depth = this.#highest(name, below, evaluation);
    while (depth >= 0) {
      const field = this.layers[depth]?.find(name);
      if (field?.visibility === 'hidden') return false;
      if (field?.visibility === 'shown') return true;
      if (field?.visibility === 'inherit') found = true;
      depth = this.#highest(name, depth - (field?.span ?? 0), evaluation);
    }
    return found;
  }

  #read(name: string, below: number, evaluation: Evaluation): Value | undefined {
    // Of one layer nothing is removed, so it need not be searched twice.
    const depth = below === 1 ? 0 : this.#depthOf(name, below, evaluation);
    const field = this.layers[depth]?.find(name);
    if (field === undefined) return undefined;
    evaluation.enter();
    const value = field.plus ? this.#readPlus(field, { name, depth }, evaluation) : field.read(this, depth, evaluation);
    evaluation.leave();
    return value;
  }

  #readPlus(field: Field, at: { name: string; depth: number }, evaluation: Evaluation): Value {
    const below = this.getBelow(at.name, at.depth, evaluation);
    const value = field.read(this, at.depth, evaluation);
    return below === undefined ? value : evaluation.add(below, value);
  }

  /** The depth of the layer under `below` that gives the field, or -1. */
  #depthOf(name: string, below: number, evaluation: Evaluation): number {
    let depth = this.#highest(name, below, evaluation);
    while (depth >= 0) {
      const field = this.layers[depth]?.find(name);
      if (field?.visibility !== 'removed') return depth;
      depth = this.#highest(name, depth - (field.span ?? 0), evaluation);
    }
    return -1;
  }

  /** The depth of the highest layer under `below` that knows the name, or -1. */
  #highest(name: string, below: number, evaluation: Evaluation): number {
    if (this.layers.length > searchedLayers) {
      this.#index ??= new LayerIndex(this.layers, evaluation);
      return this.#index.highest(name, below);
    }
    for (let depth = below - 1; depth >= 0; depth--) {
      if (this.layers[depth]?.find(name) !== undefined) return depth;
    }
    return -1;
  }

  #list(evaluation: Evaluation): FieldListing {
    const [first] = this.layers;
    if (this.layers.length === 1 && first?.listing !== undefined) return first.listing;
    const shown = new Map<string, boolean>();
    this.layers.forEach((layer, depth) => {
      evaluation.steps(layer.size);
      for (const name of layer.names()) {
        const field = layer.find(name);
        switch (field?.visibility) {
          case 'hidden':
          case 'shown':
            shown.set(name, field.visibility === 'shown');
            break;
          case 'removed':
            this.#listBelow(name, { below: depth - (field.span ?? 0), shown }, evaluation);
            break;
          default:
            if (!shown.has(name)) shown.set(name, true);
        }
      }
    });
    const all = [...shown.keys()];
    chargeSorting(all, evaluation);
    all.sort(compareText);
    return { all, visible: all.filter((name) => shown.get(name) === true) };
  }

  /** Lists what the layers under a removed field say of it. */
  #listBelow(
    name: string,
    { below, shown }: { readonly below: number; readonly shown: Map<string, boolean> },
    evaluation: Evaluation,
  ): void {
    if (this.hasBelow(name, below, evaluation)) shown.set(name, this.#isVisibleBelow(name, below, evaluation));
    else shown.delete(name);
  }
}
