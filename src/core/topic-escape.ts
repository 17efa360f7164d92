/**
 * The letters that a slug can hold and a topic name cannot, each written as `_` and one letter from `g` on; what no slug
 * holds is written as `_<hex>_`, so that any text comes back.
 */
const letters = 'æðøþß×÷đħıĳĸŀłŉŋœŧ';
const firstCode = 'g'.charCodeAt(0);

/** Kafka allows letters, digits, `.`, `_` and `-`; the dot separates the parts of our names. */
export function escapeForTopic(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9-]/gu, (character) => {
    const index = letters.indexOf(character);
    return index === -1
      ? `_${(character.codePointAt(0) ?? 0).toString(16)}_`
      : `_${String.fromCharCode(firstCode + index)}`;
  });
}

/** The inverse of `escapeForTopic`; undefined for a text that it does not make. */
export function unescapeFromTopic(text: string): string | undefined {
  const id = text.replaceAll(/_(?:([g-x])|([0-9a-f]{1,6})_)/g, (_, letter: string | undefined, hex: string) =>
    letter === undefined ? fromHex(hex) : (letters[letter.charCodeAt(0) - firstCode] ?? ''),
  );
  return escapeForTopic(id) === text ? id : undefined;
}

function fromHex(hex: string): string {
  const point = Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}
