import type { Evaluation } from '../evaluation.ts';
import { quote } from '../manifest/quote.ts';
import { builtin, type Builtin } from './builtin.ts';
import { replaced } from './text-search.ts';

const xmlEscapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text within other languages. What is no string is made text first. */
export const escapes: readonly Builtin[] = [
  escape('escapeStringJson', 'str_', quote),
  escape('escapeStringPython', 'str', quote),
  escape('escapeStringBash', 'str_', (text, evaluation) => `'${replaced(text, ["'", `'"'"'`], evaluation)}'`),
  escape('escapeStringDollars', 'str_', (text, evaluation) => replaced(text, ['$', '$$'], evaluation)),
  escape('escapeStringXML', 'str_', (text) => text.replace(/[<>&"']/g, (character) => xmlEscapes[character] ?? '')),
];

function escape(name: string, parameter: string, run: (text: string, evaluation: Evaluation) => string): Builtin {
  return builtin(name, [`${parameter}: any`], ([value], evaluation) => {
    const text = run(evaluation.toText(value), evaluation);
    evaluation.text(text.length);
    return text;
  });
}
