import { compressionTypes, type Compression } from '../compression.ts';
import { MillraceError } from '../millrace-error.ts';
import type { SettingOverrides } from '../source.ts';
import { Trigger } from '../trigger.ts';
import { parseByteSize } from './byte-size.ts';
import { parseDuration } from './duration.ts';
import {
  batchModes,
  contentTypeRules,
  kafkaValueFormatKey,
  kafkaValueFormats,
  type KafkaValueFormat,
} from './millrace-settings.ts';
import { findSetting } from './setting-catalogue.ts';
import type { SettingValue } from './setting.ts';

/** What the settings of a source or a sink come to, in the units that the stages use. */
export interface EffectiveSettings {
  /** The answer waits for the disk. */
  readonly syncWait: boolean;
  /** Of slices in staging; without a type as is best for their store. */
  readonly compression: Omit<Compression, 'type'> & { readonly type: Compression['type'] | undefined };
  /** Step 1. */
  readonly staging: Trigger;
  /** Step 2. */
  readonly target: Trigger;
  readonly batch: (typeof batchModes)[number];
  /** What says how a body is read. */
  readonly contentType: (typeof contentTypeRules)[number];
  /** Empty: none. */
  readonly defaultContentType: string;
  /** Of records that other Kafka producers write to the topic. */
  readonly kafkaValueFormat: KafkaValueFormat;
  /** `maxAgeMs` is never below `intervalMs`. */
  readonly retention: { readonly intervalMs: number; readonly maxAgeMs: number; readonly maxBytes: number };
}

/**
 * Settings after all levels, the last one wins: `effectiveSettings(source)` or `effectiveSettings(source, sink)`. What
 * no level overrides has its default. A stored value that cannot be read is `catalog.invalidDocument` and names the key.
 */
export function effectiveSettings(...levels: readonly SettingOverrides[]): EffectiveSettings {
  const read = reader(levels);
  const conditions = (path: string) => ({
    count: read.int(`storage.level.${path}.count`),
    sizeBytes: read.bytes(`storage.level.${path}.size`),
    intervalMs: read.ms(`storage.level.${path}.interval`),
  });
  const targetSlices = read.int('storage.level.target.import.trigger.slicesCount');
  const intervalMs = read.ms('log.retention.interval');
  return {
    compression: {
      type: read.given(`${compressionKey}.type`) ? read.choice(`${compressionKey}.type`, compressionTypes) : undefined,
      gzipLevel: read.int(`${compressionKey}.gzip.level`),
    },
    syncWait: read.bool('storage.level.local.encoding.sync.wait'),
    staging: new Trigger({ ...conditions('staging.upload.trigger'), slices: Number.POSITIVE_INFINITY }),
    target: new Trigger({ ...conditions('target.import.trigger'), slices: targetSlices }),
    batch: read.choice('ingest.batch', batchModes),
    contentType: read.choice('ingest.contentType', contentTypeRules),
    defaultContentType: read.text('ingest.defaultContentType'),
    kafkaValueFormat: read.choice(kafkaValueFormatKey, kafkaValueFormats),
    retention: {
      intervalMs,
      maxAgeMs: Math.max(intervalMs, read.ms('log.retention.maxAge')),
      maxBytes: read.bytes('log.retention.size'),
    },
  };
}

const compressionKey = 'storage.level.local.encoding.compression';

function reader(levels: readonly SettingOverrides[]) {
  const value = (key: string): SettingValue | undefined =>
    levels.findLast((level) => level[key] !== undefined)?.[key] ?? findSetting(key)?.defaultValue;
  const need = <Value>(key: string, parsed: Value | undefined): Value => {
    if (parsed !== undefined) return parsed;
    throw new MillraceError('catalog.invalidDocument', `the stored setting "${key}" has a value of a wrong type`);
  };
  const text = (key: string): string => {
    const found = value(key);
    return need(key, typeof found === 'string' ? found : undefined);
  };
  return {
    text,
    given: (key: string): boolean => levels.some((level) => level[key] !== undefined),
    bool: (key: string): boolean => {
      const found = value(key);
      return need(key, typeof found === 'boolean' ? found : undefined);
    },
    int: (key: string): number => {
      const found = value(key);
      return need(key, typeof found === 'number' ? found : undefined);
    },
    bytes: (key: string): number => need(key, parseByteSize(text(key))),
    ms: (key: string): number => {
      const parsed = parseDuration(text(key));
      return need(key, parsed.kind === 'duration' ? parsed.ms : undefined);
    },
    choice: <const Value extends string>(key: string, values: readonly Value[]): Value => {
      const found = value(key);
      return need(
        key,
        values.find((known) => known === found),
      );
    },
  };
}
