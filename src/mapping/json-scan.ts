/** Why a body is not JSON; `at` is the offset of the byte that does not fit. */
export interface JsonFault {
  readonly at: number;
  readonly kind: 'syntax' | 'end' | 'nesting' | 'empty';
}

/** The value of a path in a body: [start, end), and whether it has white space between its tokens. */
export interface JsonSpan {
  readonly slot: number;
  readonly start: number;
  readonly end: number;
  readonly isSpaced: boolean;
}

/** Above this many spans an index is quicker than a look at each. */
const fewSpans = 32;

/**
 * What a scan of one body found: a fault, or a span for each path that exists. It takes memory for what is in the body,
 * not for all that is wanted.
 */
export class JsonScan {
  readonly fault: JsonFault | undefined;
  readonly #spans: readonly JsonSpan[];
  #index: ReadonlyMap<number, JsonSpan> | undefined;

  constructor(spans: readonly JsonSpan[], fault: JsonFault | undefined) {
    this.#spans = spans;
    this.fault = fault;
  }

  /** The span of a slot, undefined when the body has no such path. Without meaning after a fault. */
  find(slot: number): JsonSpan | undefined {
    const spans = this.#spans;
    if (spans.length > fewSpans) {
      this.#index ??= new Map(spans.map((span) => [span.slot, span]));
      return this.#index.get(slot);
    }
    for (const span of spans) if (span.slot === slot) return span;
    return undefined;
  }
}
