import { objectOf } from '../values/slot-layer.ts';
import type { JsonnetObject } from '../values/jsonnet-object.ts';
import type { Slot } from '../values/value.ts';
import { BuiltinFunction } from './builtin-function.ts';
import { builtins } from './index.ts';

/** The library as the object `std`: all fields are hidden. `thisFile` is the name of the template. */
export function stdObject(thisFile: string): JsonnetObject {
  const fields = new Map<string, Slot>(builtins.map((builtin) => [builtin.name, new BuiltinFunction(builtin)]));
  return objectOf(fields.set('pi', Math.PI).set('thisFile', thisFile), 'hidden');
}
