import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import protobuf from 'protobufjs';

const folder = join(import.meta.dirname, '../../src/otlp/definitions');

/** The official definitions as protobufjs reads them, which shares nothing with the product's codec; names as JSON has them. */
export const definitions = readDefinitions();

/** With the names that stand in them, if wanted. */
export function readDefinitions(options: { readonly keepCase?: boolean } = {}): protobuf.Root {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(folder, basename(target));
  root.loadSync(
    readdirSync(folder).filter((file) => file.endsWith('.proto')),
    options,
  );
  root.resolveAll();
  return root;
}

/** What senders of a signal send. */
export const requestTypes = {
  logs: definitions.lookupType('ExportLogsServiceRequest'),
  metrics: definitions.lookupType('ExportMetricsServiceRequest'),
  traces: definitions.lookupType('ExportTraceServiceRequest'),
} as const;
