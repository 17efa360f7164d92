import type { Buffer } from 'node:buffer';

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;

/** Quotes and a comma or a bracket, of each text, and the bracket behind the last one or those of an empty list. */
const [frameBytes, endBytes] = [3, 2];

/** An escape of JSON, `\u001f`: no UTF-16 unit takes more. */
const mostBytesPerUnit = 6;

/** More texts than a name and a value are quicker by the engine's own way. */
const fewTexts = 2;

/** The most bytes that `writeJsonTexts` takes. */
export function mostJsonBytes(texts: readonly string[]): number {
  let bytes = endBytes;
  for (const text of texts) bytes += text.length * mostBytesPerUnit + frameBytes;
  return bytes;
}

/**
 * Writes a list of texts as `JSON.stringify` does, in UTF-8, from `at` on, where there is room for `mostJsonBytes`; answers where it ends.
 * A record's id, which each line of a batch has, needs no text that would only be copied: that takes a third less.
 */
export function writeJsonTexts(texts: readonly string[], memory: Buffer, at: number): number {
  const end = texts.length > fewTexts ? undefined : writePlain(texts, memory, at);
  return end ?? at + memory.write(JSON.stringify(texts), at, 'utf8');
}

/** Undefined where a character is not printable ASCII, or has an escape. */
function writePlain(texts: readonly string[], memory: Buffer, from: number): number | undefined {
  let at = from;
  memory[at] = openBracket;
  for (const text of texts) {
    if (at > from) memory[at] = comma;
    memory[at + 1] = quote;
    at += 2;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === quote || code === backslash) return undefined;
      memory[at] = code;
      at += 1;
    }
    memory[at] = quote;
    at += 1;
  }
  if (at === from) at += 1;
  memory[at] = closeBracket;
  return at + 1;
}
