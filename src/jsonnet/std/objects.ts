import type { Evaluation } from '../evaluation.ts';
import { Thunk } from '../values/thunk.ts';
import { allNames, fieldSlot, fieldValue, hasField, hasVisibleField, visibleNames } from '../values/object-fields.ts';
import { withoutField } from '../values/removal-layer.ts';
import { objectOf } from '../values/slot-layer.ts';
import type { ArrayValue, ObjectValue, Slot } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { mergePatch } from './merge-patch.ts';
import { prune } from './prune.ts';

/** Objects. */
export const objects: readonly Builtin[] = [
  builtin(
    'get',
    ['o: object', 'f: string', 'default?: lazy', 'inc_hidden?: boolean'],
    ([object, name, fallback = null, hidden = true], evaluation) => {
      const value =
        hidden || hasVisibleField(object, name, evaluation) ? fieldValue(object, name, evaluation) : undefined;
      return value === undefined ? evaluation.force(fallback) : value;
    },
  ),

  builtin('objectHas', ['o: object', 'f: string'], ([object, name], evaluation) =>
    hasVisibleField(object, name, evaluation),
  ),
  builtin('objectHasAll', ['o: object', 'f: string'], ([object, name], evaluation) =>
    hasField(object, name, evaluation),
  ),
  builtin('objectHasEx', ['obj: object', 'fname: string', 'hidden: boolean'], ([object, name, hidden], evaluation) =>
    hidden ? hasField(object, name, evaluation) : hasVisibleField(object, name, evaluation),
  ),

  builtin('objectFields', ['o: object'], ([object], evaluation) => visibleNames(object, evaluation)),
  builtin('objectFieldsAll', ['o: object'], ([object], evaluation) => allNames(object, evaluation)),
  builtin('objectFieldsEx', ['obj: object', 'hidden: boolean'], ([object, hidden], evaluation) =>
    hidden ? allNames(object, evaluation) : visibleNames(object, evaluation),
  ),

  builtin('objectValues', ['o: object'], ([object], evaluation) =>
    valuesOf(object, visibleNames(object, evaluation), evaluation),
  ),
  builtin('objectValuesAll', ['o: object'], ([object], evaluation) =>
    valuesOf(object, allNames(object, evaluation), evaluation),
  ),

  builtin('objectKeysValues', ['o: object'], ([object], evaluation) =>
    pairsOf(object, visibleNames(object, evaluation), evaluation),
  ),
  builtin('objectKeysValuesAll', ['o: object'], ([object], evaluation) =>
    pairsOf(object, allNames(object, evaluation), evaluation),
  ),

  builtin('mapWithKey', ['func: function', 'obj: object'], ([callee, object], evaluation) => {
    const code = (args: readonly Slot[], evaluation: Evaluation) => evaluation.call(callee, args);
    const names = visibleNames(object, evaluation);
    evaluation.late(names.length + 5);
    return objectOf(new Map(names.map((name) => [name, new Thunk(code, [name, fieldSlot(object, name)])])));
  }),

  builtin('objectRemoveKey', ['obj: object', 'key: string'], ([object, name], evaluation) =>
    hasField(object, name, evaluation) ? withoutField(object, name, evaluation) : object,
  ),

  builtin('mergePatch', ['target: lazy', 'patch: any'], ([target, patch], evaluation) =>
    mergePatch(target, patch, evaluation),
  ),
  builtin('prune', ['a: any'], ([value], evaluation) => prune(value, evaluation)),
];

function valuesOf(object: ObjectValue, names: readonly string[], evaluation: Evaluation): ArrayValue {
  evaluation.array(names.length);
  return names.map((name) => fieldSlot(object, name));
}

function pairsOf(object: ObjectValue, names: readonly string[], evaluation: Evaluation): ArrayValue {
  evaluation.late(names.length * 5);
  return names.map((name) =>
    objectOf(
      new Map<string, Slot>([
        ['key', name],
        ['value', fieldSlot(object, name)],
      ]),
    ),
  );
}
