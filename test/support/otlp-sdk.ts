import { OTLPLogExporter as GrpcLogs } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as GrpcMetrics } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as GrpcTraces } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { SdkVariables } from './sdk-variables.ts';

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

/** Exporters without a setting of their own: they take what these variables of the environment say, as the SDK reads them. */
export function sdkExporters(transport: Transport, variables: SdkVariables): SdkExporters {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return madeBy(transport);
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

function madeBy(transport: Transport): SdkExporters {
  switch (transport) {
    case 'protobuf':
      return { traces: new ProtobufTraces(), metrics: new ProtobufMetrics(), logs: new ProtobufLogs() };
    case 'JSON':
      return { traces: new JsonTraces(), metrics: new JsonMetrics(), logs: new JsonLogs() };
    case 'gRPC':
      return { traces: new GrpcTraces(), metrics: new GrpcMetrics(), logs: new GrpcLogs() };
    default:
      return transport satisfies never;
  }
}
