import type { Evaluation } from '../evaluation.ts';
import { JsonnetObject } from './jsonnet-object.ts';
import { plainListing } from './slot-layer.ts';
import { lazy } from './thunk.ts';
import type { ObjectValue, Slot, Value } from './value.ts';

/** Names of the visible fields, sorted by code point. */
export function visibleNames(object: ObjectValue, evaluation: Evaluation): readonly string[] {
  if (object instanceof JsonnetObject) return object.listing(evaluation).visible;
  return plainListing(object, evaluation).visible;
}

/** Names of all fields, hidden ones included, sorted by code point. */
export function allNames(object: ObjectValue, evaluation: Evaluation): readonly string[] {
  return object instanceof JsonnetObject ? object.listing(evaluation).all : visibleNames(object, evaluation);
}

/** The value of a field, hidden or not; `undefined` when there is none. */
export function fieldValue(object: ObjectValue, name: string, evaluation: Evaluation): Value | undefined {
  if (object instanceof JsonnetObject) return object.get(name, evaluation);
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A field that there is, computed when it is used. */
export function fieldSlot(object: ObjectValue, name: string): Slot {
  if (object instanceof JsonnetObject) return lazy((evaluation) => object.get(name, evaluation) ?? null);
  return object[name] ?? null;
}

export function hasField(object: ObjectValue, name: string, evaluation: Evaluation): boolean {
  return object instanceof JsonnetObject ? object.has(name, evaluation) : Object.hasOwn(object, name);
}

export function hasVisibleField(object: ObjectValue, name: string, evaluation: Evaluation): boolean {
  return object instanceof JsonnetObject ? object.isVisible(name, evaluation) : Object.hasOwn(object, name);
}
