import { codePoints } from '../values/code-points.ts';
import { isArray } from '../values/value.ts';
import { lateCall } from '../values/thunk.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Arrays. */
export const arrays: readonly Builtin[] = [
  builtin('map', ['func: function', 'arr: array|string'], ([callee, items], evaluation) => {
    const elements = isArray(items) ? items : codePoints(items);
    evaluation.array(elements.length);
    return elements.map((element) => lateCall(callee, element));
  }),
];
