import { decimalText } from '../manifest/decimal-text.ts';
import { nestedText, type NestedStyle } from './manifest-nested.ts';
import { builtin, type Builtin } from './builtin.ts';

/** JSON output. */
export const jsonOutput: readonly Builtin[] = [
  builtin('manifestJson', ['value: any'], ([value], evaluation) => nestedText(value, indented, evaluation)),
  builtin('manifestJsonMinified', ['value: any'], ([value], evaluation) => nestedText(value, minified, evaluation)),
  builtin(
    'manifestJsonEx',
    ['value: any', 'indent: string', 'newline?: string', 'key_val_sep?: string'],
    ([value, indent, newline = '\n', colon = ': '], evaluation) =>
      nestedText(value, jsonStyle({ indent, newline, colon }), evaluation),
  ),
];

const indented = jsonStyle({ indent: '    ', newline: '\n', colon: ': ' });
const minified = jsonStyle({ indent: '', newline: '', colon: ':' });

function jsonStyle(texts: Pick<NestedStyle, 'indent' | 'newline' | 'colon'>): NestedStyle {
  return {
    ...texts,
    comma: `,${texts.newline}`,
    yes: 'true',
    no: 'false',
    nothing: 'null',
    number: decimalText,
    text: jsonText,
  };
}

const lineSeparators = /[\u2028\u2029]/;

/** Only here control characters after ASCII stand as they are, and line separators do not, as the reference has it. */
function jsonText(text: string): string {
  const quoted = JSON.stringify(text);
  if (!lineSeparators.test(quoted)) return quoted;
  return quoted.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`);
}
