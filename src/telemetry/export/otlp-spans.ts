import type { Agent } from 'node:http';
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Span,
  type SpanContext as OtelContext,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import { parseSpanContext, type SpanContext } from '../../core/span-context.ts';
import type { SpanObserver } from '../observe-spans.ts';
import type { EnteredTrace, OpenSpan, SpanEnd, Spans, SpanStart } from '../spans.ts';
import { SpanExports, type SpanExportsOptions } from './span-exports.ts';

/** Where spans go, and of whom they are. */
export interface SpanTarget {
  /** Takes OTLP over HTTP. */
  readonly url: string;
  /** Share of the requests without a trace of their own that begin one, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  /** Of the process, among those of the installation. */
  readonly instance: string;
  /** Of the process: what the spans are of. */
  readonly thread: string;
}

export interface SpanParts {
  readonly clock: Clock;
  /** A number from 0 to 1, without it. */
  readonly random: () => number;
  readonly observer: SpanObserver;
  /** Absent: by OTLP over HTTP, to the URL. */
  readonly exporter?: SpanExporter;
}

/** Spans that are exported; this room is loaded where they are wanted, and nowhere else. */
export interface ExportedSpans extends Spans {
  /** Sends what waits, as far as the server takes it: about as long as one export may take. */
  end(): Promise<void>;
}

/** Makes spans by the SDK of OpenTelemetry and exports them in batches, in the background. */
export function exportSpans(target: SpanTarget, parts: SpanParts): ExportedSpans {
  return new OtlpSpans(target, parts);
}

class OtlpSpans implements ExportedSpans {
  readonly #parts: SpanParts;
  readonly #ratio: number;
  readonly #exports: SpanExports;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  /** Requests that may still get a span in this second. */
  #left: number = limits.tracesPerSecond;
  #since = Number.NEGATIVE_INFINITY;

  constructor({ url, ratio, version, instance, thread }: SpanTarget, parts: SpanParts) {
    const { clock, observer } = parts;
    this.#parts = parts;
    this.#ratio = ratio;
    this.#exports = new SpanExports({
      ...(parts.exporter === undefined ? overHttp(url) : { exporter: parts.exporter }),
      clock,
      observer,
      most: limits.waitingSpans,
      patienceMs: limits.spanExportMs + 250,
    });
    this.#provider = new TracerProvider({
      sampler: new AlwaysOnSampler(),
      resource: resourceFromAttributes({
        'service.name': 'millrace',
        'service.version': version,
        'service.instance.id': instance,
        'thread.name': thread,
      }),
      spanLimits: { linkCountLimit: limits.tracesPerImport },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#exports,
          maxQueueSize: limits.waitingSpans,
          maxExportBatchSize: 256,
          scheduledDelayMillis: 1000,
          exportTimeoutMillis: limits.spanExportMs + 500,
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer('millrace', version);
  }

  enter(traceparent: string | undefined, tracestate: string | undefined): EnteredTrace | undefined {
    const parent = traceparent === undefined ? undefined : parseSpanContext(traceparent, tracestate);
    const isWanted = parent === undefined ? this.#parts.random() < this.#ratio : parent.isSampled;
    return isWanted && this.#admits() ? { parent } : undefined;
  }

  #admits(): boolean {
    const now = this.#parts.clock.monotonic();
    if (now >= this.#since + 1000) {
      this.#since = now;
      this.#left = limits.tracesPerSecond;
    }
    if (this.#left === 0) {
      this.#parts.observer.dropped(1);
      return false;
    }
    this.#left -= 1;
    return true;
  }

  begin({ name, kind, startedAt, parent, links = [], attributes }: SpanStart): OpenSpan {
    const above = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, otelContext(parent));
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        startTime: startedAt,
        links: links.map((context) => ({ context: otelContext(context) })),
        attributes,
      },
      above,
    );
    const { traceId, spanId } = span.spanContext();
    const context: SpanContext = { traceId, spanId, isSampled: true, state: parent?.state ?? '' };
    return { context, end: (end) => this.#end(span, end) };
  }

  #end(span: Span, { at, failure, attributes = {} }: SpanEnd): void {
    if (!this.#exports.admit()) return;
    span.setAttributes(attributes);
    if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span.end(at);
  }

  end(): Promise<void> {
    return this.#provider.shutdown();
  }
}

/** The exporter, whose connections can be cut: with the agent that its variables of the environment describe. */
function overHttp(url: string): Pick<SpanExportsOptions, 'exporter' | 'abandon'> {
  const agents: Agent[] = [];
  const { agentFactory } = convertLegacyHttpOptions({}, 'TRACES', 'v1/traces', {});
  const httpAgentOptions: typeof agentFactory = async (protocol) => {
    const agent = await agentFactory(protocol);
    agents.push(agent);
    return agent;
  };
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: limits.spanExportMs, httpAgentOptions });
  return { exporter, abandon: () => agents.forEach((agent) => agent.destroy()) };
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;

function otelContext({ traceId, spanId, isSampled, state }: SpanContext): OtelContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  const traceState = state === '' ? {} : { traceState: createTraceState(state) };
  return { traceId, spanId, traceFlags, isRemote: true, ...traceState };
}
