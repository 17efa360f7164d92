import type { Clock } from '../../src/core/clock.ts';
import type { Source } from '../../src/core/source.ts';
import { effectiveSettings } from '../../src/core/settings/effective.ts';
import type { PartitionMapperOptions } from '../../src/stages/map/partition-mapper.ts';
import { SchemaCache } from '../../src/stages/map/schema-cache.ts';

/** What a mapper is given where all settings have their defaults and there is no schema registry. */
export function noSchemas(clock: Clock): Pick<PartitionMapperOptions, 'schemas' | 'configuration'> {
  return {
    schemas: new SchemaCache({ registry: undefined, clock }),
    configuration: {
      settingsOf: () => effectiveSettings(),
      sourceOf: () => ({ type: 'http' }) as Source,
      learnSource: () => Promise.resolve(),
    },
  };
}
