import type { Evaluation } from '../evaluation.ts';
import { quote } from '../manifest/quote.ts';
import { builtin, type Builtin } from './builtin.ts';
import { replaced } from './text-search.ts';

/** In this order: the first stands in all others. */
const xmlEscapes = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
] as const;

/** Text within other languages. What is no string is made text first. */
export const escapes: readonly Builtin[] = [
  escape('escapeStringJson', 'str_', quote),
  escape('escapeStringPython', 'str', quote),
  escape('escapeStringBash', 'str_', (text, evaluation) => `'${replaced(text, ["'", `'"'"'`], evaluation)}'`),
  escape('escapeStringDollars', 'str_', (text, evaluation) => replaced(text, ['$', '$$'], evaluation)),
  escape('escapeStringXML', 'str_', (text, evaluation) =>
    xmlEscapes.reduce((escaped, escape) => replaced(escaped, escape, evaluation), text),
  ),
];

function escape(name: string, parameter: string, run: (text: string, evaluation: Evaluation) => string): Builtin {
  return builtin(name, [`${parameter}: any`], ([value], evaluation) => {
    const given = evaluation.toText(value);
    const text = run(given, evaluation);
    evaluation.text(text.length);
    // Each escape takes as long as many characters that stay.
    evaluation.steps((text.length - given.length) >> 2);
    return text;
  });
}
