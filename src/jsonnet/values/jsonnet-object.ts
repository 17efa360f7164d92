import type { Evaluation } from '../evaluation.ts';
import { compareText } from './compare-text.ts';
import type { Frame } from './frame.ts';
import type { Field, FieldListing, Layer } from './layer.ts';
import type { Value } from './value.ts';

/** Up to so many layers are searched one after the other, more through an index. */
const searchedLayers = 6;

/**
 * An object of layers, the lowest first: each literal is a layer, `+` puts the layers of the right operand on those of
 * the left. `self` is the whole object in all of them, so a field is computed once for each object, not for each layer.
 */
export class JsonnetObject {
  readonly layers: readonly Layer[];
  #scopes: (Frame | undefined)[] | undefined;
  #values: Map<string, Value> | undefined;
  /** Values that `super` found, by depth and name. */
  #below: Map<string, Value> | undefined;
  #index: Map<string, number> | undefined;
  /** What `isVisible` said, of an object with many layers. */
  #visible: Map<string, boolean> | undefined;
  #listing: FieldListing | undefined;
  #asserted: boolean;

  constructor(layers: readonly Layer[]) {
    this.layers = layers;
    this.#asserted = layers.length === 1 ? layers[0]?.hasAsserts !== true : !layers.some((layer) => layer.hasAsserts);
  }

  /** The value of a field, hidden or not; `undefined` when there is none. Checks the asserts first. */
  get(name: string, evaluation: Evaluation): Value | undefined {
    if (!this.#asserted) this.checkAsserts(evaluation);
    const known = this.#values?.get(name);
    if (known !== undefined) return known;
    const value = this.#read(name, this.layers.length, evaluation);
    if (value === undefined) return undefined;
    this.#values ??= new Map();
    this.#values.set(name, value);
    return value;
  }

  /** The value that the layers under `depth` give a field, with this whole object as `self`. */
  getBelow(name: string, depth: number, evaluation: Evaluation): Value | undefined {
    const found = this.#depthOf(name, depth);
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
  has(name: string): boolean {
    return this.#depthOf(name, this.layers.length) >= 0;
  }

  hasBelow(name: string, depth: number): boolean {
    return this.#depthOf(name, depth) >= 0;
  }

  isVisible(name: string): boolean {
    if (this.layers.length <= searchedLayers) return this.#isVisibleBelow(name, this.layers.length);
    if (!this.has(name)) return false;
    this.#visible ??= new Map();
    const known = this.#visible.get(name) ?? this.#isVisibleBelow(name, this.layers.length);
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

  #isVisibleBelow(name: string, below: number): boolean {
    let found = false;
    for (let depth = below - 1; depth >= 0; depth--) {
      const field = this.layers[depth]?.find(name);
      if (field === undefined) continue;
      if (field.visibility === 'hidden') return false;
      if (field.visibility === 'shown') return true;
      if (field.visibility === 'removed') depth -= field.span ?? 0;
      else found = true;
    }
    return found;
  }

  #read(name: string, below: number, evaluation: Evaluation): Value | undefined {
    // Of one layer nothing is removed, so it need not be searched twice.
    const depth = below === 1 ? 0 : this.#depthOf(name, below);
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

  #depthOf(name: string, below: number): number {
    if (below === this.layers.length && below > searchedLayers) {
      this.#index ??= this.#indexed();
      return this.#index.get(name) ?? -1;
    }
    for (let depth = below - 1; depth >= 0; depth--) {
      const field = this.layers[depth]?.find(name);
      if (field === undefined) continue;
      if (field.visibility !== 'removed') return depth;
      depth -= field.span ?? 0;
    }
    return -1;
  }

  #indexed(): Map<string, number> {
    const index = new Map<string, number>();
    this.layers.forEach((layer, depth) => {
      for (const name of layer.names()) {
        const field = layer.find(name);
        const found = field?.visibility === 'removed' ? this.#depthOf(name, depth - (field.span ?? 0)) : depth;
        index.set(name, found);
      }
    });
    return index;
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
            this.#listBelow(name, depth - (field.span ?? 0), shown);
            break;
          default:
            if (!shown.has(name)) shown.set(name, true);
        }
      }
    });
    const all = [...shown.keys()].sort(compareText);
    return { all, visible: all.filter((name) => shown.get(name) === true) };
  }

  /** What the layers under a removed field say of it. */
  #listBelow(name: string, below: number, shown: Map<string, boolean>): void {
    if (this.hasBelow(name, below)) shown.set(name, this.#isVisibleBelow(name, below));
    else shown.delete(name);
  }
}
