import type { Waiting } from '../../ports/waiting.ts';
import { refusals, type Refusal } from '../refusal.ts';
import type { ContentCoding } from './content-codings.ts';
import { decodeOne, type DecodingBounds } from './decode-one.ts';

/** A body as it came. */
export interface EncodedBody extends DecodingBounds {
  readonly body: Buffer;
  /** In the order in which they were applied. */
  readonly codings: readonly ContentCoding[];
}

/** Bodies that are decoded side by side: each takes a thread of Node's pool, and a window of 16 MB at most beside it. */
const atOnce = 4;

/** Decodes bodies on other threads, a few at a time and the others in order. */
export class Decoders {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * The body without its codings, or why it cannot be read: the result of no coding may be longer than `maxBytes`. What it
   * holds of the memory in the end is the decoded body; after a refusal the caller gives everything back. Never rejects
   * for what a body is. When the signal is aborted, nothing more is decoded.
   */
  async decode({ body, codings, ...bounds }: EncodedBody, { signal }: Waiting): Promise<Buffer | Refusal> {
    await this.#turn();
    try {
      let bytes = body;
      for (const coding of codings.toReversed()) {
        if (signal.aborted) return refusals.tooManyRequests;
        const decoded = await decodeOne(bytes, { coding, ...bounds }, { signal });
        if ('kind' in decoded) return decoded;
        bounds.memory.release(bytes.length);
        bytes = decoded;
      }
      return bytes;
    } finally {
      this.#pass();
    }
  }

  #turn(): Promise<void> | undefined {
    if (this.#running < atOnce) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Hands the place to the next one who waits. */
  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
