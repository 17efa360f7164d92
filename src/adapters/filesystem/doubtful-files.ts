/** So many are told apart; they go with the process. */
const most = 1000;

/**
 * Files whose sync has failed: another sync would prove nothing. When too many have failed to be told apart, as on a
 * disk that fails for good, every file is doubtful from then on.
 */
export class DoubtfulFiles {
  readonly #paths = new Set<string>();
  #isAny = false;

  has(path: string): boolean {
    return this.#isAny || this.#paths.has(path);
  }

  add(path: string): void {
    if (this.#paths.size < most) this.#paths.add(path);
    if (!this.#paths.has(path)) this.#isAny = true;
  }

  /** Its bytes were written again elsewhere. */
  delete(path: string): void {
    this.#paths.delete(path);
  }
}
