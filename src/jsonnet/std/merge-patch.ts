import type { Evaluation } from '../evaluation.ts';
import { fieldSlot, fieldValue, hasVisibleField, visibleNames } from '../values/object-fields.ts';
import { objectOf } from '../values/slot-layer.ts';
import { lazy } from '../values/thunk.ts';
import { isObject, type Slot, type Value } from '../values/value.ts';

/**
 * RFC 7396: the fields of `patch` put over those of `target`, `null` takes a field away; a patch that is no object
 * replaces the target. Hidden fields do not take part. Fields of the target stay late, those of the patch are computed.
 */
export function mergePatch(target: Slot, patch: Value, evaluation: Evaluation): Value {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, Slot>();
  const below = evaluation.force(target);
  const object = isObject(below) ? below : {};
  for (const name of visibleNames(object, evaluation)) merged.set(name, fieldSlot(object, name));
  evaluation.steps(merged.size);
  for (const name of visibleNames(patch, evaluation)) {
    const value = fieldValue(patch, name, evaluation) ?? null;
    if (value === null) {
      merged.delete(name);
    } else if (isObject(value)) {
      const under = hasVisibleField(object, name, evaluation) ? fieldSlot(object, name) : null;
      merged.set(
        name,
        lazy((evaluation) => mergePatch(under, value, evaluation)),
      );
    } else {
      merged.set(name, value);
    }
  }
  evaluation.late(merged.size + 5);
  return objectOf(merged);
}
