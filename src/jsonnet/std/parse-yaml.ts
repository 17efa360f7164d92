import { Composer, Parser, type Document } from 'yaml';
import type { Evaluation } from '../evaluation.ts';
import type { Value } from '../values/value.ts';
import { YamlReader } from './yaml-reader.ts';

/** Steps for each character: what the parser needs in time and memory is this much more than other functions. */
const stepsPerCharacter = 32;

/** A line that begins a document. */
const documentStart = /(?<![^\n])(?=---(?:[ \t\r\n]|(?![^])))/;

/**
 * The value of a YAML text. A text with `---` lines is an array of its documents, and what stands before the first such
 * line, even if it is empty but for ends of lines, is one of them. Of a document everything after a `...` is ignored.
 */
export function parseYaml(text: string, evaluation: Evaluation): Value {
  evaluation.steps(text.length * stepsPerCharacter);
  if (text === '') return null;
  const parts = text.split(documentStart);
  evaluation.array(parts.length);
  let line = 1;
  const documents = parts.map((part) => {
    const value = parseDocument(part, line, evaluation);
    line += part.split('\n').length - 1;
    return value;
  });
  return documentStart.test(text) ? documents : (documents[0] ?? null);
}

function parseDocument(text: string, firstLine: number, evaluation: Evaluation): Value {
  const document = firstDocument(text);
  if (document === undefined) return null;
  const [error] = document.errors;
  if (error !== undefined) {
    if (error.message.includes('call stack')) throw evaluation.stackExceeded();
    const line = firstLine + text.slice(0, error.pos[0]).split('\n').length - 1;
    throw evaluation.error(`failed to parse YAML: line ${line}: ${error.message}`);
  }
  return new YamlReader(evaluation).read(document.contents);
}

/** Scalars stay texts and aliases stay names here: `YamlReader` makes values of them. */
function firstDocument(text: string): Document.Parsed | undefined {
  const composer = new Composer({ schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false, logLevel: 'silent' });
  for (const document of composer.compose(new Parser().parse(text), true)) return document;
  return undefined;
}
