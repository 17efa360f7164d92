import type { Evaluation } from '../evaluation.ts';
import { TextBuilder } from './text-builder.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { fieldValue, hasVisibleField } from '../values/object-fields.ts';
import { isArray, isObject, typeName, type ObjectValue } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

/** INI output. */
export const iniOutput: readonly Builtin[] = [
  builtin('manifestIni', ['ini: object'], ([ini], evaluation) => {
    const builder = new TextBuilder(evaluation);
    if (hasVisibleField(ini, 'main', evaluation)) writeBody(objectField(ini, 'main', evaluation), builder, evaluation);
    const sections = objectField(ini, 'sections', evaluation);
    for (const name of visibleFields(sections, evaluation)) {
      builder.append('[').append(name).append(']\n');
      writeBody(objectField(sections, name, evaluation), builder, evaluation);
    }
    return builder.finish();
  }),
];

/** A line for each field, or one for each element of a field that is an array. */
function writeBody(body: ObjectValue, builder: TextBuilder, evaluation: Evaluation): void {
  for (const name of visibleFields(body, evaluation)) {
    const value = fieldValue(body, name, evaluation) ?? null;
    const slots = isArray(value) ? value : [value];
    evaluation.steps(slots.length);
    for (const slot of slots) {
      const text = evaluation.toText(evaluation.force(slot));
      builder.append(name).append(' = ').append(text).append('\n');
    }
  }
}

function objectField(object: ObjectValue, name: string, evaluation: Evaluation): ObjectValue {
  const value = fieldValue(object, name, evaluation);
  if (value === undefined) throw evaluation.error(`Field does not exist: ${name}`);
  if (isObject(value)) return value;
  throw evaluation.error(`std.manifestIni: field "${name}": Unexpected type ${typeName(value)}, expected object`);
}
