import type { SpanContext } from '../core/span-context.ts';

/** What is told of a span beside its name and its times, under the names of OpenTelemetry's conventions where there is one. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** What is known of a span when it begins. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'internal';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent: a trace begins with it. */
  readonly parent?: SpanContext | undefined;
  /** Other spans that it has to do with, of other traces too. */
  readonly links?: readonly SpanContext[];
  readonly attributes: SpanAttributes;
}

/** How a span ended; without a failure: well. */
export interface SpanEnd {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly failure?: string | undefined;
  readonly attributes?: SpanAttributes;
}

export interface OpenSpan {
  /** For the spans below it. */
  readonly context: SpanContext;
  /** Called once; a span that never ends is told to nobody. */
  end(end: SpanEnd): void;
}

/** A trace that has a span here. */
export interface EnteredTrace {
  /** Undefined: it begins here. */
  readonly parent: SpanContext | undefined;
}

/**
 * Makes the spans of a thread and hands them on in the background: nothing waits for that, and nothing fails when nobody takes them. Where
 * spans are off there is none of this, and whoever would make a span looks no further.
 */
export interface Spans {
  /**
   * The trace that a sender names, if it wants its spans; for one that names none, a new one, by the share of such requests that is wanted.
   * Undefined: no span. It admits so many a second, whatever senders want.
   */
  enter(traceparent: string | undefined, tracestate: string | undefined): EnteredTrace | undefined;
  begin(start: SpanStart): OpenSpan;
}
