import type { Evaluation } from '../evaluation.ts';
import { slice } from '../operators/slice.ts';
import { codePointLength } from '../values/code-points.ts';
import { visibleNames } from '../values/object-fields.ts';
import { isArray, isFunction, isLayered, isObject, typeName, type Value } from '../values/value.ts';
import { folding } from './arrays-fold.ts';
import { joining } from './arrays-join.ts';
import { making } from './arrays-make.ts';
import { mapping } from './arrays-map.ts';
import { searching } from './arrays-search.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Arrays. */
export const arrays: readonly Builtin[] = [
  builtin('length', ['x: any'], ([value], evaluation) => length(value, evaluation)),
  builtin('slice', ['indexable: any', 'index: any', 'end: any', 'step: any'], ([target, from, to, step], evaluation) =>
    slice(target, { from, to, step }, evaluation),
  ),
  builtin('reverse', ['arrs: array'], ([array], evaluation) => {
    evaluation.array(array.length);
    return array.toReversed();
  }),
  ...making,
  ...mapping,
  ...folding,
  ...joining,
  ...searching,
];

/** Code points, elements, visible fields, or parameters without a default; computes none of them. */
function length(value: Value, evaluation: Evaluation): number {
  if (isArray(value)) return value.length;
  if (typeof value === 'string') {
    evaluation.scan(value.length);
    return codePointLength(value);
  }
  if (isFunction(value)) return value.parameters.filter(({ optional }) => !optional).length;
  if (isLayered(value)) return visibleNames(value, evaluation).length;
  if (!isObject(value)) throw evaluation.error(`std.length: argument "x": Unexpected type ${typeName(value)}`);
  const names = Object.keys(value);
  evaluation.steps(names.length);
  return names.length;
}
