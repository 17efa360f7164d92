import { typeName } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { stringCase } from './strings-case.ts';
import { characters } from './strings-characters.ts';
import { escapes } from './strings-escape.ts';
import { stringSearch } from './strings-search.ts';
import { stringSplits } from './strings-split.ts';
import { stripping } from './strings-strip.ts';

/** Strings: parts, search, case and replacement; all indexes count code points. */
export const strings: readonly Builtin[] = [
  builtin('toString', ['a: any'], ([value], evaluation) => evaluation.toText(value)),
  builtin('isEmpty', ['str: string'], ([text]) => text === ''),
  builtin('lines', ['arr: array'], ([lines], evaluation) => {
    evaluation.steps(lines.length);
    let text = '';
    for (const slot of lines) {
      const line = evaluation.force(slot);
      if (line === null) continue;
      if (typeof line !== 'string') {
        throw evaluation.error(`std.lines: Unexpected type ${typeName(line)}, expected string`);
      }
      text += `${line}\n`;
      if (text.length > evaluation.limits.textLength) break;
    }
    evaluation.text(text.length);
    return text;
  }),
  builtin('resolvePath', ['f: string', 'r: string'], ([file, relative], evaluation) => {
    evaluation.text(file.length + relative.length);
    return file.slice(0, file.lastIndexOf('/') + 1) + relative;
  }),
  ...characters,
  ...stringSearch,
  ...stringSplits,
  ...stripping,
  ...stringCase,
  ...escapes,
];
