import { quote } from '../manifest/quote.ts';
import { nestedText, type NestedStyle } from './manifest-nested.ts';
import { TextBuilder } from './text-builder.ts';
import { visibleFields } from '../manifest/visible-fields.ts';
import { numberText } from '../values/number-text.ts';
import { fieldValue } from '../values/object-fields.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Python output. */
export const pythonOutput: readonly Builtin[] = [
  builtin('manifestPython', ['v: any'], ([value], evaluation) => nestedText(value, python, evaluation)),
  builtin('manifestPythonVars', ['conf: object'], ([variables], evaluation) => {
    const builder = new TextBuilder(evaluation);
    for (const name of visibleFields(variables, evaluation)) {
      const value = fieldValue(variables, name, evaluation) ?? null;
      builder
        .append(name)
        .append(' = ')
        .append(nestedText(value, python, evaluation))
        .append('\n');
    }
    return builder.finish();
  }),
];

const python: NestedStyle = {
  indent: '',
  newline: '',
  comma: ', ',
  colon: ': ',
  yes: 'True',
  no: 'False',
  nothing: 'None',
  number: numberText,
  text: quote,
};
