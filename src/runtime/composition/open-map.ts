import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { MapService } from '../../stages/map/map-service.ts';
import { MappingCache } from '../../stages/map/mapping-cache.ts';
import { SchemaCache } from '../../stages/map/schema-cache.ts';
import { observeMap } from '../../telemetry/observe-map.ts';
import { serviceRetry } from '../service-retry.ts';
import { systemClock } from '../system-clock.ts';
import { freshnessOf } from './freshness-of.ts';
import { mapRound } from './map-round.ts';
import { statusBoard, type SinkContext } from './sink-context.ts';

/** What makes the service of the role map. */
export function openMap(context: SinkContext): () => MapService {
  const { ports, configuration, spec, telemetry, maxAppendBytes } = context;
  return () =>
    new MapService({
      ...ports,
      maxAppendBytes,
      configuration,
      schemas: new SchemaCache({ registry: ports.schemaRegistry, clock: systemClock }),
      mappings: new MappingCache(ports.catalog, createTemplates(spec.templates)),
      status: statusBoard('map', context),
      observer: observeMap(telemetry, freshnessOf(configuration, systemClock)),
      spans: telemetry.spans,
      clock: systemClock,
      retry: serviceRetry,
      member: spec.instance,
      ...mapRound,
    });
}
