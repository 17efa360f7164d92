import type { SpanContext } from '../core/span-context.ts';
import type { OpenSpan, SpanEnd, Spans, SpanStart } from './spans.ts';

/** Where the span of one trace among those that share a piece of work begins. */
export interface SharedBy {
  readonly context: SpanContext;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * A piece of work for events of several traces, as a slice or an import is: a span in each of these traces, so that whoever follows one
 * event finds it there; and one of the work itself, in a trace of its own, linked to all of them as they are to it.
 */
export class WorkSpans {
  readonly #spans: Spans;
  readonly #own: OpenSpan;
  readonly #shares: readonly OpenSpan[];

  constructor(spans: Spans, work: Omit<SpanStart, 'links' | 'kind'>, shared: readonly SharedBy[]) {
    this.#spans = spans;
    const links = shared.map(({ context }) => context);
    this.#own = spans.begin({ ...work, kind: 'internal', links });
    const { name, attributes } = work;
    const own = [this.#own.context];
    this.#shares = shared.map(({ context, since }) =>
      spans.begin({ name, kind: 'consumer', startedAt: since, parent: context, links: own, attributes }),
    );
  }

  /** Of the spans in the traces of events, in the order in which these were given. */
  get contexts(): readonly SpanContext[] {
    return this.#shares.map(({ context }) => context);
  }

  /** A part of the work, below each of its spans. */
  part(part: Pick<SpanStart, 'name' | 'attributes' | 'startedAt'>): (end: SpanEnd) => void {
    const all = [this.#own, ...this.#shares];
    const open = all.map(({ context }) => this.#spans.begin({ ...part, kind: 'internal', parent: context }));
    return (end) => {
      for (const span of open) span.end(end);
    };
  }

  end(end: SpanEnd): void {
    for (const span of [this.#own, ...this.#shares]) span.end(end);
  }
}
