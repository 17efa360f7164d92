import type { SinkKey, SourceKey } from '../../core/ids.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import type { Definitions } from '../../stages/replica/definitions.ts';
import type { KnownNames } from '../../telemetry/labels.ts';

/** The sources and sinks that this thread knows now, deleted ones included as long as there is something of them. */
export function namesOf({
  sources,
  sinks,
  progress,
}: Pick<Definitions, 'sources' | 'sinks'> & Partial<Pick<Configuration, 'progress'>>): KnownNames {
  const sourceName = ({ branchId, sourceId }: SourceKey): string => `${branchId}/${sourceId}`;
  const sinkName = (key: SinkKey): string => `${sourceName(key)}/${key.sinkId}`;
  const knownSources = new Set([...sources.values()].map(({ value }) => sourceName(value)));
  const knownSinks = new Set([
    ...[...sinks.values()].map(({ value }) => sinkName(value)),
    ...[...(progress?.values() ?? [])].map(({ value }) => sinkName(value.key)),
  ]);
  return {
    hasSource: ({ branch, source }) => knownSources.has(`${branch}/${source}`),
    hasSink: ({ branch, source, sink }) => knownSinks.has(`${branch}/${source}/${sink}`),
  };
}
