import { carriedContext, type CarriedContext } from '../../core/carried-context.ts';
import { parseSpanContext, type SpanContext } from '../../core/span-context.ts';
import type { LogRecord } from '../../ports/event-log.ts';
import type { Spans } from '../../telemetry/spans.ts';

/** Which records of a batch belong to traces: looked up once, for all sinks. */
export class BatchContexts {
  readonly #spans: Spans;
  readonly #records: readonly LogRecord[];
  /** By the text of `traceparent`: the records of a request have the same. */
  readonly #byText = new Map<string, SpanContext | undefined>();

  constructor(spans: Spans, records: readonly LogRecord[]) {
    this.#spans = spans;
    this.#records = records;
  }

  /** The span that the record at an index goes on from; undefined for one that belongs to no trace, or to one that nobody wants. */
  of(index: number): SpanContext | undefined {
    const { headers = [] } = this.#records[index] ?? {};
    const carried = carriedContext(headers);
    if (carried === undefined) return undefined;
    const { traceparent } = carried;
    if (this.#byText.has(traceparent)) return this.#byText.get(traceparent);
    const context = this.#entered(carried);
    this.#byText.set(traceparent, context);
    return context;
  }

  #entered({ traceparent, tracestate, isAdmitted }: CarriedContext): SpanContext | undefined {
    const context = parseSpanContext(traceparent, tracestate);
    if (context?.isSampled !== true) return undefined;
    return isAdmitted ? context : this.#spans.enter(traceparent, tracestate)?.parent;
  }
}
