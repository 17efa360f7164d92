/** Events of about a kilobyte as shops send them, no two alike, so that what compresses them has as much to do as in earnest. */

const words =
  'order customer payment delivery address street number created updated status pending shipped invoice total currency amount item quantity price discount product category email phone country city postal region warehouse carrier tracking weight volume note comment message source target session device browser version platform language'.split(
    ' ',
  );

/** A line of numbers that looks like chance and is the same in each run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

const next = chance(20_261_126);
const word = (): string => words[next() % words.length] ?? '';

function oneEvent(): Buffer {
  const sender = { login: `user-${next() % 100_000}`, id: next() };
  const text = Array.from({ length: 110 }, word).join(' ');
  const repository = { full_name: `shop/part-${next() % 1000}`, private: false };
  return Buffer.from(JSON.stringify({ id: next(), action: word(), repository, sender, text }));
}

/** They are sent in turns. */
export const events: readonly Buffer[] = Array.from({ length: 1000 }, oneEvent);

export const eventBytes = Math.round(events.reduce((sum, { length }) => sum + length, 0) / events.length);
