import type { MillraceError } from '../../core/millrace-error.ts';
import { failureKind } from '../../core/progress/failure-kind.ts';
import type { RunningImport } from '../../core/progress/sink-progress.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** How often an import whose objects cannot be read is tried unchanged: for over two minutes. */
const triesAsItIs = 8;

/** Tells a failure that may lie in one slice, which is sought by halves, from one of a whole store. */
export class SliceFaults {
  readonly #ownership: Ownership;
  #unread = { id: '', tries: 0 };

  constructor({ ownership }: { readonly ownership: Ownership }) {
    this.#ownership = ownership;
  }

  /** An import has failed so; false when it is to be tried again as it is. */
  async isOfOne(running: RunningImport, { code }: MillraceError, options: Waiting): Promise<boolean> {
    const kind = failureKind(code);
    switch (kind) {
      case 'damage':
      case 'strain':
        return true;
      case 'unread':
        return this.#hasEnough(running) && (await this.#storeAnswers(options));
      case 'misfit':
      case 'rights':
      case 'other':
        return false;
      default:
        return kind satisfies never;
    }
  }

  /** What was tried together once needs no more than one try apart. */
  #hasEnough({ id, slices }: RunningImport): boolean {
    const tries = this.#unread.id === id ? this.#unread.tries + 1 : 1;
    this.#unread = { id, tries };
    return tries >= triesAsItIs || slices[0]?.together !== undefined;
  }

  /** Another object of the store can be read: its mark. */
  #storeAnswers(options: Waiting): Promise<boolean> {
    return this.#ownership.isOurs('staging', options);
  }
}
