import { basename, join } from 'node:path';
import protobuf from 'protobufjs';

const folder = join(import.meta.dirname, '../../src/otlp/definitions');

/** The official definitions, as protobufjs reads them. */
export const definitions = readDefinitions();

function readDefinitions(): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(folder, basename(target));
  root.loadSync(['logs_service.proto', 'metrics_service.proto', 'trace_service.proto']);
  root.resolveAll();
  return root;
}

/** What senders of a signal send. */
export const requestTypes = {
  logs: definitions.lookupType('ExportLogsServiceRequest'),
  metrics: definitions.lookupType('ExportMetricsServiceRequest'),
  traces: definitions.lookupType('ExportTraceServiceRequest'),
} as const;
