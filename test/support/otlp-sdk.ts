import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { Metadata } from '@grpc/grpc-js';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** The exporters of one transport of the JavaScript SDK. */
export interface SdkExporters {
  readonly traces: SpanExporter;
  readonly metrics: PushMetricExporter;
  readonly logs: LogRecordExporter;
}

/** Where a source of OTLP is, as its view tells, and where the product listens for gRPC. */
export interface SdkTarget {
  readonly url: string;
  readonly secret: string;
  readonly grpc: string;
}

export const transports = ['protobuf', 'JSON', 'gRPC'] as const;
export type Transport = (typeof transports)[number];

const gzip = { compression: CompressionAlgorithm.GZIP };

/** Exporters that compress, as people configure them. */
export function sdkExporters(transport: Transport, { url, secret, grpc }: SdkTarget): SdkExporters {
  const http = (signal: string) => ({ url: `${url}/v1/${signal}`, ...gzip });
  switch (transport) {
    case 'protobuf':
      return {
        traces: new ProtobufTraces(http('traces')),
        metrics: new ProtobufMetrics(http('metrics')),
        logs: new ProtobufLogs(http('logs')),
      };
    case 'JSON':
      return {
        traces: new JsonTraces(http('traces')),
        metrics: new JsonMetrics(http('metrics')),
        logs: new JsonLogs(http('logs')),
      };
    case 'gRPC': {
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${secret}`);
      const options = { url: grpc, metadata, ...gzip };
      return { traces: new GrpcTraces(options), metrics: new GrpcMetrics(options), logs: new GrpcLogs(options) };
    }
    default:
      return transport satisfies never;
  }
}
