import { formatTraceparent, parseSpanContext } from '../../src/core/span-context.ts';
import type { OpenSpan, SpanEnd, Spans, SpanStart } from '../../src/telemetry/spans.ts';

/** A span that was begun, and how it ended; undefined: it has not. */
export interface ToldSpan extends SpanStart {
  readonly traceparent: string;
  ended: SpanEnd | undefined;
}

/** Spans as stages tell them, kept in memory: whoever is sampled enters. */
export class ToldSpans implements Spans {
  readonly told: ToldSpan[] = [];
  /** How often a trace was asked for that the product had not admitted yet. */
  entered = 0;

  enter(traceparent: string | undefined, tracestate: string | undefined): ReturnType<Spans['enter']> {
    this.entered += 1;
    const parent = parseSpanContext(traceparent ?? '', tracestate);
    return parent?.isSampled === true ? { parent } : undefined;
  }

  begin(start: SpanStart): OpenSpan {
    const spanId = (this.told.length + 1).toString(16).padStart(16, '0');
    const traceId = start.parent?.traceId ?? spanId.padStart(32, 'a');
    const context = { traceId, spanId, isSampled: true, state: start.parent?.state ?? '' };
    const span: ToldSpan = { ...start, traceparent: formatTraceparent(context), ended: undefined };
    this.told.push(span);
    return { context, end: (end) => void (span.ended = end) };
  }

  /** The names of those that have ended. */
  get endedNames(): readonly string[] {
    return this.told.filter(({ ended }) => ended !== undefined).map(({ name }) => name);
  }
}
