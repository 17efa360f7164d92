import type { Evaluation } from '../evaluation.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import { visibleNames } from '../values/object-fields.ts';
import type { ObjectValue } from '../values/value.ts';

/** Names of the fields that an output has, by code point. Checks the asserts of the object, which names alone do not. */
export function visibleFields(object: ObjectValue, evaluation: Evaluation): readonly string[] {
  if (object instanceof JsonnetObject) object.checkAsserts(evaluation);
  const names = visibleNames(object, evaluation);
  evaluation.steps(names.length);
  return names;
}
