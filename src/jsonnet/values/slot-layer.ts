import type { Evaluation } from '../evaluation.ts';
import { chargeSorting } from './charge-sorting.ts';
import { JsonnetObject } from './jsonnet-object.ts';
import { slotField, type Field, type FieldListing, type Layer, type Visibility } from './layer.ts';
import { sortedNames } from './sorted-names.ts';
import type { ObjectValue, PlainObject, Slot } from './value.ts';

/** A layer of fields that do not know `self`. */
class SlotLayer implements Layer {
  readonly hasAsserts = false;
  readonly #fields: ReadonlyMap<string, Slot>;
  readonly #visibility: Visibility;

  constructor(fields: ReadonlyMap<string, Slot>, visibility: Visibility) {
    this.#fields = fields;
    this.#visibility = visibility;
  }

  get size(): number {
    return this.#fields.size;
  }

  get listing(): FieldListing {
    const all = sortedNames([...this.#fields.keys()]);
    return { all, visible: this.#visibility === 'hidden' ? [] : all };
  }

  find(name: string): Field | undefined {
    const slot = this.#fields.get(name);
    return slot === undefined ? undefined : slotField(slot, this.#visibility);
  }

  names(): Iterable<string> {
    return this.#fields.keys();
  }

  checkAsserts(): void {}
}

/** A plain object as a layer, when `+` joins it with another object. */
class PlainLayer implements Layer {
  readonly hasAsserts = false;
  readonly #object: PlainObject;

  constructor(object: PlainObject) {
    this.#object = object;
  }

  get size(): number {
    return Object.keys(this.#object).length;
  }

  find(name: string): Field | undefined {
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    return value === undefined ? undefined : slotField(value);
  }

  names(): Iterable<string> {
    return Object.keys(this.#object);
  }

  checkAsserts(): void {}
}

/** An object with these fields, all of them visible unless said otherwise: how `std` makes objects. */
export function objectOf(fields: ReadonlyMap<string, Slot>, visibility: Visibility = 'inherit'): JsonnetObject {
  return new JsonnetObject([new SlotLayer(fields, visibility)]);
}

export function layersOf(object: ObjectValue): readonly Layer[] {
  return object instanceof JsonnetObject ? object.layers : [new PlainLayer(object)];
}

/** Of large plain objects, which do not change: those of a body are listed for every column and sink. */
const listings = new WeakMap<PlainObject, FieldListing>();
const large = 24;

/** Names of a plain object, sorted by code point. Charges for each, and for putting them in order. */
export function plainListing(object: PlainObject, evaluation: Evaluation): FieldListing {
  const known = listings.get(object);
  if (known !== undefined) {
    evaluation.steps(known.all.length);
    return known;
  }
  const found = Object.keys(object);
  chargeSorting(found, evaluation);
  const names = sortedNames(found);
  const listing = { all: names, visible: names };
  if (names.length > large) listings.set(object, listing);
  return listing;
}
