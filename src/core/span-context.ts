/**
 * Where a trace has come to, as services tell each other (W3C Trace Context, https://www.w3.org/TR/trace-context/): which trace, and which
 * of its spans is the parent of the next one.
 */
export interface SpanContext {
  /** 32 digits, hexadecimal, in lower case. */
  readonly traceId: string;
  /** 16 digits, as above. */
  readonly spanId: string;
  /** Whoever began the trace wants its spans. */
  readonly isSampled: boolean;
  /** What vendors say beside it, as they wrote it; empty: nothing. */
  readonly state: string;
}

export const traceparentHeader = 'traceparent';
export const tracestateHeader = 'tracestate';

/** Version, trace, parent, flags, and what versions after 00 may have behind them. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What a service has to pass on at least (section 3.3.1.5); a longer one is left out. */
const mostStateLength = 512;

/**
 * The context that a sender names; undefined where it names none by the rules of the standard, which is nobody's failure: the trace just
 * does not go on. Text of vendors that is too long, or no text of a header, is left out alone.
 */
export function parseSpanContext(traceparent: string, tracestate = ''): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  const state = tracestate.length <= mostStateLength && /^[\x20-\x7e\t]*$/.test(tracestate) ? tracestate : '';
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, state };
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

/** The context as the text of `traceparent`. */
export function formatTraceparent({ traceId, spanId, isSampled }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`;
}
