import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider, type ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, TracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace';

/** The JavaScript SDK at work: a log record and a span every few milliseconds, each with the text `record 17;` of its own number. */
export interface NumberedTelemetry {
  /** Sends what is there and ends; resolves with the numbers of all records that were taken. */
  stop(): Promise<readonly number[]>;
}

interface Exporter<Item> {
  export(items: Item[], done: (result: ExportResult) => void): void;
  shutdown(): Promise<void>;
  forceFlush?(): Promise<void>;
}

/** Sends to the receiver at this address, until it is stopped. */
export function startNumberedTelemetry(url: string): NumberedTelemetry {
  const accepted: number[] = [];
  const noting = <Item>(exporter: Exporter<Item>, textOf: (item: Item) => unknown) => ({
    export: (items: Item[], done: (result: ExportResult) => void): void => {
      exporter.export(items, (result) => {
        if (result.code === ExportResultCode.SUCCESS)
          accepted.push(...items.map((item) => Number(/\d+/.exec(String(textOf(item)))?.[0])));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  });
  const options = { compression: CompressionAlgorithm.GZIP };
  const pace = { maxExportBatchSize: 20, scheduledDelayMillis: 20, maxQueueSize: 4096 };
  const logExporter = new OTLPLogExporter({ url: `${url}/v1/logs`, ...options });
  const spanExporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, ...options });
  const logs = new LoggerProvider({
    processors: [
      new BatchLogRecordProcessor({ exporter: noting(logExporter, ({ body }: ReadableLogRecord) => body), ...pace }),
    ],
  });
  const traces = new TracerProvider({
    spanProcessors: [
      new BatchSpanProcessor({ exporter: noting(spanExporter, ({ name }: ReadableSpan) => name), ...pace }),
    ],
  });
  const logger = logs.getLogger('numbered');
  const tracer = traces.getTracer('numbered');
  let next = 0;
  const timer = setInterval(() => {
    logger.emit({ body: `record ${next++};` });
    tracer.startSpan(`record ${next++};`).end();
  }, 8);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all([logs.shutdown(), traces.shutdown()]);
      return accepted;
    },
  };
}
