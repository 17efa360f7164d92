import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import type { Offset } from '../../core/offset.ts';
import { beginMapSpans, type MappedRecord, type MappedRecords, type MapSpan } from '../../telemetry/map-spans.ts';
import type { Spans } from '../../telemetry/spans.ts';
import type { BatchContexts } from './batch-contexts.ts';
import type { Mapped } from './map-batch.ts';

/** About what a `traceparent` takes in the log with each outcome. */
const headerBytes = 128;

/** The spans `map` of one append: of the records of traces that it has, by the records' outcomes. */
export class PortionSpans {
  readonly #spans: Spans;
  readonly #clock: Clock;
  readonly #contexts: BatchContexts;
  readonly #startedAt: number;
  readonly #records: MappedRecord[] = [];
  readonly #traces = new Set<string>();
  #begun: readonly MapSpan[] = [];

  constructor(spans: Spans, contexts: BatchContexts, clock: Clock) {
    this.#spans = spans;
    this.#contexts = contexts;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Notes what became of a record, if it belongs to a trace. */
  note(index: number, offset: Offset, { kind }: Mapped): void {
    const context = this.#contexts.of(index);
    if (context === undefined) return;
    if (!this.#traces.has(context.spanId)) {
      if (this.#traces.size === limits.tracesPerAppend) return;
      this.#traces.add(context.spanId);
    }
    this.#records.push({ offset, kind, context });
  }

  /**
   * Begins the spans of what goes into the append: what was mapped beyond `position` waits for another one. Answers the text for the
   * outcomes of their records, as far as these have `roomBytes` for it: no append grows beyond what its topic takes.
   */
  begin(
    of: Pick<MappedRecords, 'key' | 'at'>,
    { position, roomBytes }: { readonly position: Offset; readonly roomBytes: number },
  ): (to: Offset) => string | undefined {
    const records = this.#records.filter(({ offset }) => offset <= position);
    this.#begun = beginMapSpans(this.#spans, { ...of, startedAt: this.#startedAt, records });
    const byOffset = new Map<Offset, string>();
    let room = roomBytes;
    for (const { offsets, traceparent } of this.#begun)
      for (const offset of offsets) if ((room -= headerBytes) >= 0) byOffset.set(offset, traceparent);
    return (to) => byOffset.get(to);
  }

  /** The append has ended: well, or with a failure. */
  end(failure?: string): void {
    for (const span of this.#begun) span.end(this.#clock.now(), failure);
  }
}
