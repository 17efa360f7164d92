import type { Evaluation } from '../evaluation.ts';
import type { JsonnetObject } from './jsonnet-object.ts';
import type { Slot, Value } from './value.ts';

/**
 * `:` inherits (visible when nothing below says otherwise), `::` hides, `:::` shows. `removed` is no field: it takes the
 * fields of that name of some layers below away, see `RemovalLayer`.
 */
export type Visibility = 'inherit' | 'hidden' | 'shown' | 'removed';

/** A field as one layer of an object defines it. */
export interface Field {
  readonly visibility: Visibility;
  /** `+:`: the value below, if there is one, plus this one. */
  readonly plus: boolean;
  /** How many layers under this one lose the name, when it is removed. */
  readonly span?: number;
  /** Computes the field with `object` as `self` and its layers under `depth` (0 is the lowest) as `super`. */
  read(object: JsonnetObject, depth: number, evaluation: Evaluation): Value;
}

/** What one operand of `+` brings to an object: never changed, shared by all objects it is a part of. */
export interface Layer {
  find(name: string): Field | undefined;
  /** All names, hidden ones included, in no particular order. */
  names(): Iterable<string>;
  readonly size: number;
  readonly hasAsserts: boolean;
  /** Throws when an assert of this layer does not hold for `object`, in which the layer stands at `depth`. */
  checkAsserts(object: JsonnetObject, depth: number, evaluation: Evaluation): void;
  /** The names in order, when the layer knows them already. */
  readonly listing?: FieldListing | undefined;
  /** The fields by index, when all names are known before the object is made. */
  readonly fixed?: FixedFields | undefined;
}

/** Fields whose names are fixed: each has an index that is the same in all objects of the literal. */
export interface FixedFields {
  readonly indexes: ReadonlyMap<string, number>;
  readonly fields: readonly Field[];
  /** The visible ones by code point, with their names as JSON text. */
  readonly shown: readonly { readonly index: number; readonly quoted: string }[];
}

/** Names of fields by code point; `visible` without the hidden ones. */
export interface FieldListing {
  readonly all: readonly string[];
  readonly visible: readonly string[];
}

/** A field whose value is there, or late but without `self`. */
export function slotField(slot: Slot, visibility: Visibility = 'inherit'): Field {
  return new SlotField(slot, visibility);
}

class SlotField implements Field {
  readonly visibility: Visibility;
  readonly plus = false;
  readonly #slot: Slot;

  constructor(slot: Slot, visibility: Visibility) {
    this.visibility = visibility;
    this.#slot = slot;
  }

  read(_object: JsonnetObject, _depth: number, evaluation: Evaluation): Value {
    return evaluation.force(this.#slot);
  }
}
