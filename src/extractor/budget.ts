import type { Clock } from '../core/clock.ts';
import type { ExtractionLimits, ExtractionProgress } from './extraction.ts';
import { ExtractorError } from './values/extractor-error.ts';

/** What a run has taken so far, and what it may take. */
export class Budget {
  readonly #limits: ExtractionLimits;
  readonly #clock: Clock;
  readonly #begun: number;
  #pages = 0;
  #rows = 0;
  #bytes = 0;

  constructor(limits: ExtractionLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#begun = clock.monotonic();
  }

  get used(): ExtractionProgress {
    return { pages: this.#pages, rows: this.#rows, bytes: this.#bytes };
  }

  /** Takes the body of an answer. */
  takeBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw beyond(`${this.#limits.bytes} bytes`);
  }

  /** Takes a page with so many items. */
  takePage(rows: number): void {
    this.#pages += 1;
    this.#rows += rows;
    if (this.#pages > this.#limits.pages) throw beyond(`${this.#limits.pages} pages`);
    if (this.#rows > this.#limits.rows) throw beyond(`${this.#limits.rows} rows`);
  }

  /** Throws when the time is over, or would be after a wait of so many milliseconds. */
  checkTime(waitMs = 0): void {
    const left = this.#begun + this.#limits.durationMs - this.#clock.monotonic();
    if (left < 0 || waitMs > left) throw beyond(`${this.#limits.durationMs / 1000} seconds`);
  }
}

function beyond(what: string): ExtractorError {
  return new ExtractorError(
    `The job needs more than ${what}, which is the limit of one run. Make it smaller, for example by 'pagination.forceStop' or a filter of the API, or ask the operator for more.`,
  );
}
