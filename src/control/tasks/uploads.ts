import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/** How many uploads a process takes at a time. */
export class Uploads {
  #running = 0;

  /** Until it is disposed; `file.busy`. */
  enter(): Disposable {
    if (this.#running >= limits.uploadsAtOnce) {
      const message = `${this.#running} files are being uploaded, the maximum is ${limits.uploadsAtOnce}; try again later`;
      throw new MillraceError('file.busy', message);
    }
    this.#running += 1;
    return { [Symbol.dispose]: () => void (this.#running -= 1) };
  }
}
