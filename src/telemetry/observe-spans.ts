import type { Telemetry } from './telemetry.ts';

/** What the export of spans tells about itself; every method is quick and never throws. */
export interface SpanObserver {
  /** The server has taken them. */
  exported(spans: number): void;
  /** The server has not, and they are gone; it may have them all the same when its answer was lost. */
  failed(spans: number, reason: string): void;
  /** They were not even kept to be sent: so many wait already, or too many began at once. */
  dropped(spans: number): void;
}

/** Counts spans, and logs when the server begins to refuse them, and when it takes them again. */
export function observeSpans({ log, metrics }: Telemetry): SpanObserver {
  const counter = metrics.counter('millrace_spans_total');
  let isFailing = false;
  return {
    exported: (spans) => {
      counter.inc({ result: 'exported' }, spans);
      if (isFailing) log.info({}, 'spans are taken again');
      isFailing = false;
    },
    failed: (spans, reason) => {
      counter.inc({ result: 'failed' }, spans);
      if (!isFailing) log.warn({ reason }, 'spans are not taken');
      isFailing = true;
    },
    dropped: (spans) => counter.inc({ result: 'dropped' }, spans),
  };
}
