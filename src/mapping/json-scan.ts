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
  /** The one that was found before it. */
  readonly before: JsonSpan | undefined;
}

/** Above this many spans an index is quicker than a look at each. */
const fewSpans = 32;

/**
 * What a scan of one body found: a fault, or a span for each path that exists. It takes memory for what is in the body,
 * not for all that is wanted.
 */
export class JsonScan {
  readonly fault: JsonFault | undefined;
  /** The others lie behind it: a list of them would be larger than they are. */
  readonly #last: JsonSpan | undefined;
  readonly #count: number;
  #index: ReadonlyMap<number, JsonSpan> | undefined;

  /** `last` leads to all `count` spans. */
  constructor(last: JsonSpan | undefined, count: number, fault: JsonFault | undefined) {
    this.#last = last;
    this.#count = count;
    this.fault = fault;
  }

  /** The span of a slot, undefined when the body has no such path. Without meaning after a fault. */
  find(slot: number): JsonSpan | undefined {
    if (this.#count > fewSpans) return this.#bySlot().get(slot);
    let span = this.#last;
    while (span !== undefined && span.slot !== slot) span = span.before;
    return span;
  }

  #bySlot(): ReadonlyMap<number, JsonSpan> {
    if (this.#index !== undefined) return this.#index;
    const index = new Map<number, JsonSpan>();
    for (let span = this.#last; span !== undefined; span = span.before) index.set(span.slot, span);
    this.#index = index;
    return index;
  }
}
