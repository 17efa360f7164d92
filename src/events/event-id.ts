/** Makes ids of events: `ids(nowMs)`. */
export type EventIds = (nowMs: number) => string;

const hex = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));
const poolWords = 4096;

function word(value: number): string {
  return hex[value & 0xffff] ?? '';
}

/**
 * Ids as UUID version 7 (RFC 9562, 5.7, with the 12 bits of rand_a as a counter, 6.2 method 1): ascending as text
 * within one generator, even when the clock goes back or one millisecond makes more than 4,096; then the id's time runs
 * ahead of the clock. `fillRandom` fills a buffer with random bytes. Own code because the package `uuid` takes 2 µs an
 * id and Node's `randomUUIDv7` is not ascending within a millisecond; this takes 0.1 µs.
 */
export function createEventIds(fillRandom: (words: Uint16Array) => void): EventIds {
  const pool = new Uint16Array(poolWords);
  let used = poolWords;
  let lastMs = -1;
  let counter = 0;
  let prefix = '';
  const moveTo = (ms: number): void => {
    lastMs = ms;
    counter = 0;
    const time = ms.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-`;
  };
  return (nowMs) => {
    if (nowMs > lastMs) moveTo(Math.floor(nowMs));
    else if (counter === 0xfff) moveTo(lastMs + 1);
    else counter += 1;
    if (used === poolWords) {
      fillRandom(pool);
      used = 0;
    }
    const variant = ((pool[used] ?? 0) & 0x3fff) | 0x8000;
    const id = `${prefix}${word(0x7000 | counter)}-${word(variant)}-${word(pool[used + 1] ?? 0)}${word(pool[used + 2] ?? 0)}${word(pool[used + 3] ?? 0)}`;
    used += 4;
    return id;
  };
}
