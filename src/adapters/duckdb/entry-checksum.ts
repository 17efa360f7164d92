/** Half a word takes 32 bits, so that no BigInt is made per word. */
const factorLow = 0x1ce4e5b9;
const factorHigh = 0xbf58476d | 0;

const wordMask = (1n << 64n) - 1n;
const restFactor = 0xc6a4a7935bd1e995n;
const restSeed = 0xe17a1465n;

/**
 * The checksum that DuckDB writes before an entry of its log, over the parts of an entry in their order; all but the
 * last have whole words of eight bytes.
 */
export class EntryChecksum {
  #low = 5381;
  #high = 0;
  #rest = 0n;

  add(part: Buffer): void {
    const rest = part.length % 8;
    const end = part.length - rest;
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < end; at += 8) {
      const wordLow = part.readInt32LE(at);
      low ^= Math.imul(wordLow, factorLow);
      high ^= (carryOf(wordLow) + Math.imul(wordLow, factorHigh) + Math.imul(part.readInt32LE(at + 4), factorLow)) | 0;
    }
    this.#low = low;
    this.#high = high;
    if (rest > 0) this.#rest = hashOf(part.subarray(end));
  }

  get value(): bigint {
    return ((BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0)) ^ this.#rest;
  }
}

/** The upper half of the product of two lower halves, from products of 16 bits, which are exact. */
function carryOf(low: number): number {
  const [a, b] = [low & 0xffff, low >>> 16];
  const [c, d] = [factorLow & 0xffff, factorLow >>> 16];
  const middle = b * c + (((a * c) / 0x10000) >>> 0);
  const upper = a * d + (middle & 0xffff);
  return b * d + Math.floor(middle / 0x10000) + Math.floor(upper / 0x10000);
}

/** Of less than a word: one round of MurmurHash64A. */
function hashOf(bytes: Buffer): bigint {
  let word = 0n;
  for (const byte of bytes.toReversed()) word = (word << 8n) | BigInt(byte);
  const seeded = restSeed ^ ((BigInt(bytes.length) * restFactor) & wordMask);
  const mixed = folded(((seeded ^ word) * restFactor) & wordMask);
  return folded((mixed * restFactor) & wordMask);
}

function folded(word: bigint): bigint {
  return word ^ (word >> 47n);
}
