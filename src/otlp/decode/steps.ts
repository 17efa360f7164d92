import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';

const stepBytes = 64 * 1024;
const stepParts = 500;

/** Says when a step is done, and when a request has too many parts. */
export class Steps {
  #parts = 0;
  #sinceStep = 0;
  #nextBytes = stepBytes;

  /** One part more has been met; `at` is how far the decoder is in the body. True: let others have their turn. */
  isDone(at: number): boolean {
    this.#parts += 1;
    if (this.#parts > otlpLimits.partsPerRequest)
      throw new OtlpFault(`It holds more than ${otlpLimits.partsPerRequest} resources, scopes, metrics and records.`);
    return this.isDue(at);
  }

  /** The same of a part that was met before. */
  isDue(at: number): boolean {
    this.#sinceStep += 1;
    if (at < this.#nextBytes && this.#sinceStep < stepParts) return false;
    this.#nextBytes = at + stepBytes;
    this.#sinceStep = 0;
    return true;
  }
}
