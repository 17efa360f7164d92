import type { Signal } from '../../../core/event.ts';
import { parseBranchId, type SourceId, type SourceKey } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { refusal, type Refusal } from '../../../events/refusal.ts';

/** Where each signal is sent to: the services of OTLP, as its definitions name them. */
export const methods: Readonly<Record<Signal, string>> = {
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
};

/** The source that the metadata `millrace-source` names: `<branch>/<source>`. */
export function parseSourceName(text: string): { readonly kind: 'named'; readonly key: SourceKey } | Refusal {
  const [branch = '', sourceId = '', ...rest] = text.split('/', 3);
  if (sourceId === '' || rest.length > 0) return invalidName(text);
  try {
    return { kind: 'named', key: { branchId: parseBranchId(branch), sourceId: sourceId as SourceId } };
  } catch (error) {
    if (error instanceof MillraceError) return invalidName(text);
    throw error;
  }
}

function invalidName(text: string): Refusal {
  const rule = 'must be "<branch>/<source>", the branch "default" or its number, for example "default/shop"';
  return refusal('invalid', 'badRequest', `Invalid metadata "millrace-source" value "${text.slice(0, 50)}": ${rule}.`);
}
