import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../core/clock.ts';
import type { SpanObserver } from '../observe-spans.ts';

type Answer = Parameters<SpanExporter['export']>[1];

export interface SpanExportsOptions {
  readonly exporter: SpanExporter;
  readonly observer: SpanObserver;
  readonly clock: Clock;
  /** Spans that wait, at most. */
  readonly most: number;
  /** An export that has no answer by then has failed, whatever the server sends. */
  readonly patienceMs: number;
  /** Called for such an export: what it holds open is of no use any more. */
  readonly abandon?: () => void;
}

/** Hands spans to an exporter, and counts what becomes of them, each once. */
export class SpanExports implements SpanExporter {
  readonly #options: SpanExportsOptions;
  /** Spans that wait for their export. */
  #waiting = 0;

  constructor(options: SpanExportsOptions) {
    this.#options = options;
  }

  /** Whether there is room for one more that waits; it is counted then, and else as dropped. */
  admit(): boolean {
    if (this.#waiting >= this.#options.most) {
      this.#options.observer.dropped(1);
      return false;
    }
    this.#waiting += 1;
    return true;
  }

  export(spans: ReadableSpan[], answer: Answer): void {
    const { exporter, observer, clock, patienceMs, abandon } = this.#options;
    this.#waiting -= spans.length;
    const patience = new AbortController();
    const end: Answer = (result) => {
      if (patience.signal.aborted) return;
      patience.abort();
      if (result.error === undefined) observer.exported(spans.length);
      else observer.failed(spans.length, reasonOf(result.error));
      answer(result);
    };
    // The exporter has a time limit of its own, which a server that sends a byte now and then never meets.
    const giveUp = (): void => {
      end({ code: failed, error: new Error(`no answer within ${patienceMs} ms`) });
      abandon?.();
    };
    clock.sleep(patienceMs, { signal: patience.signal }).then(giveUp, () => undefined);
    exporter.export(spans, end);
  }

  shutdown(): Promise<void> {
    return this.#options.exporter.shutdown();
  }
}

/** `ExportResultCode.FAILED` of a package that nothing else needs. */
const failed = 1;

/** With the status, if there is one: a server need not say more. */
function reasonOf(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'number' ? `${code} ${error.message}`.trim() : error.message;
}
