import { limits } from '../../core/limits.ts';

/**
 * The memory in which the stage of a thread holds the lines of slices that a small buffer does not hold: a few blocks, used again and
 * again. Who gets none writes a file.
 */
export class LineBlocks {
  readonly #free: Buffer[] = [];
  readonly #most: number;
  #inUse = 0;

  constructor(most: number = limits.lineBlocks) {
    this.#most = most;
  }

  /** Undefined when all are in use. */
  take(): Buffer | undefined {
    if (this.#inUse === this.#most) return undefined;
    this.#inUse += 1;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(limits.lineBlockBytes);
  }

  /** `isIdle` says that nobody looks at its bytes any more: then it is used again, else the next one is new memory. */
  giveBack(block: Buffer, isIdle: boolean): void {
    this.#inUse -= 1;
    if (isIdle) this.#free.push(block);
  }
}
