import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { SpanObserver } from '../observe-spans.ts';

type Answer = Parameters<SpanExporter['export']>[1];

/** Hands spans to an exporter, and counts what becomes of them. */
export class SpanExports implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #observer: SpanObserver;
  readonly #most: number;
  /** Spans that wait for their export. */
  #waiting = 0;

  constructor(exporter: SpanExporter, observer: SpanObserver, { most }: { readonly most: number }) {
    this.#exporter = exporter;
    this.#observer = observer;
    this.#most = most;
  }

  /** Whether there is room for one more that waits; it is counted then, and else as dropped. */
  admit(): boolean {
    if (this.#waiting >= this.#most) {
      this.#observer.dropped(1);
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  export(spans: ReadableSpan[], answer: Answer): void {
    this.#waiting -= spans.length;
    this.#exporter.export(spans, (result) => {
      if (result.error === undefined) this.#observer.exported(spans.length);
      else this.#observer.failed(spans.length, result.error.message);
      answer(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
