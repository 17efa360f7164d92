import type { Evaluation } from '../evaluation.ts';
import { TextBuilder } from './text-builder.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { fieldValue } from '../values/object-fields.ts';
import { isArray, isObject, typeName, type ArrayValue, type ObjectValue } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

/** XML output. Texts and attributes are written as they are: escape them with `std.escapeStringXML`. */
export const xmlOutput: readonly Builtin[] = [
  builtin('manifestXmlJsonml', ['value: array'], ([value], evaluation) => {
    const builder = new TextBuilder(evaluation);
    writeElement(value, builder, evaluation);
    return builder.finish();
  }),
];

/** An element is `[tag, children…]` or `[tag, {attributes}, children…]`. */
function writeElement(element: ArrayValue, builder: TextBuilder, evaluation: Evaluation): void {
  evaluation.enter();
  evaluation.steps(element.length);
  const tag = tagOf(element, evaluation);
  const attributes = element.length > 1 ? evaluation.force(element[1] ?? null) : null;
  builder.append('<').append(tag);
  if (isObject(attributes)) writeAttributes(attributes, builder, evaluation);
  builder.append('>');
  for (const slot of element.slice(isObject(attributes) ? 2 : 1)) {
    const child = evaluation.force(slot);
    if (typeof child === 'string') builder.append(child);
    else if (isArray(child)) writeElement(child, builder, evaluation);
    else throw refusal(`a child that is a string or an array, got ${typeName(child)}`, evaluation);
  }
  builder.append('</').append(tag).append('>');
  evaluation.leave();
}

function writeAttributes(attributes: ObjectValue, builder: TextBuilder, evaluation: Evaluation): void {
  for (const name of visibleFields(attributes, evaluation)) {
    const text = evaluation.toText(fieldValue(attributes, name, evaluation) ?? null);
    builder.append(' ').append(name).append('="').append(text).append('"');
  }
}

function tagOf(element: ArrayValue, evaluation: Evaluation): string {
  const [first] = element;
  if (first === undefined) throw refusal('an element to begin with its tag, got an empty array', evaluation);
  const tag = evaluation.force(first);
  if (typeof tag === 'string') return tag;
  throw refusal(`a tag that is a string, got ${typeName(tag)}`, evaluation);
}

function refusal(expected: string, evaluation: Evaluation): Error {
  return evaluation.error(`std.manifestXmlJsonml expected ${expected}`);
}
