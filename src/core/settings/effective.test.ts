import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describeSettings } from './describe-settings.ts';
import { effectiveSettings } from './effective.ts';
import { millraceSettings } from './millrace-settings.ts';
import { settingCatalogue } from './setting-catalogue.ts';
import type { Setting, SettingValue } from './setting.ts';

const count = 'storage.level.staging.upload.trigger.count';
const compression = 'storage.level.local.encoding.compression';
const wait = 'storage.level.local.encoding.sync.wait';

describe('effective settings', () => {
  test('without overrides they are the defaults, in the units of the stages', () => {
    expect(effectiveSettings()).toEqual({
      syncWait: true,
      compression: { type: undefined, gzipLevel: 1 },
      staging: { count: 10_000, sizeBytes: 5 * 1024 ** 2, intervalMs: 30_000, slices: Number.POSITIVE_INFINITY },
      target: { count: 50_000, sizeBytes: 50 * 1024 ** 2, intervalMs: 60_000, slices: 100 },
      batch: 'off',
      contentType: 'auto',
      defaultContentType: '',
      kafkaValueFormat: 'raw',
      retention: { intervalMs: 168 * 3_600_000, maxAgeMs: 720 * 3_600_000, maxBytes: 5 * 1024 ** 3 },
    });
  });

  test('the sink wins over the source, the source over the default; false is a value', () => {
    expect(effectiveSettings({ [count]: 5, [wait]: false }).syncWait).toBe(false);
    expect(effectiveSettings({ [count]: 5 }, { [count]: 7 }).staging.count).toBe(7);
    expect(effectiveSettings({ [count]: 5 }, {}).staging.count).toBe(5);
  });

  test('how slices are compressed is left to their store where no level says it', () => {
    const [type, level] = [`${compression}.type`, `${compression}.gzip.level`];
    expect(effectiveSettings({ [type]: 'none' }).compression).toEqual({ type: 'none', gzipLevel: 1 });
    const both = effectiveSettings({ [type]: 'none' }, { [type]: 'gzip', [level]: 6 });
    expect(both.compression).toEqual({ type: 'gzip', gzipLevel: 6 });
  });

  test('what a sink still needs is never kept shorter than what no sink needs', () => {
    const { retention } = effectiveSettings({ 'log.retention.interval': '10h0m0s', 'log.retention.maxAge': '1h0m0s' });
    expect(retention.maxAgeMs).toBe(retention.intervalMs);
  });

  test('an override of a key that the product does not know is ignored', () => {
    expect(effectiveSettings({ 'from.a.newer.version': 1 })).toEqual(effectiveSettings());
  });

  test('a stored value that cannot be read names its key', () => {
    expect(() => effectiveSettings({ [count]: 'many' })).toThrow(`the stored setting "${count}"`);
  });
});

/** Another value than the default that the setting may have. */
function otherValue({ kind, defaultValue }: Setting): SettingValue {
  switch (kind.kind) {
    case 'int':
      return kind.min === defaultValue ? kind.max : kind.min;
    case 'size':
      return `${kind.maxBytes}B`;
    case 'duration':
      return `${kind.maxMs}ms`;
    case 'bool':
      return defaultValue !== true;
    case 'choice':
      return kind.values.find((value) => value !== defaultValue) ?? '';
    case 'contentType':
      return 'text/plain';
    case 'list':
      return ['other'];
    default:
      return kind satisfies never;
  }
}

test('every setting of the user has an effect', () => {
  const without = settingCatalogue.filter((setting) =>
    isDeepStrictEqual(effectiveSettings({ [setting.key]: otherValue(setting) }), effectiveSettings()),
  );
  expect(without.filter((setting) => !setting.protected).map(({ key }) => key)).toEqual([]);
});

const everywhere = { sourceType: 'http', hasOwnLog: true, hasRegistry: true } as const;

describe('settings as GET shows them', () => {
  test('a sink shows the effective value, and where it comes from', () => {
    const described = describeSettings({ source: { [count]: 5, [wait]: false }, sink: { [count]: 7 } }, everywhere);
    const byKey = new Map(described.map((setting) => [setting.key, setting]));
    expect(byKey.get(count)).toMatchObject({
      value: 7,
      defaultValue: 10_000,
      overwritten: true,
      inheritedFrom: 'sink',
    });
    expect(byKey.get(wait)).toMatchObject({ value: false, overwritten: false, inheritedFrom: 'source' });
    expect(byKey.get('storage.level.staging.upload.trigger.size')).toEqual({
      key: 'storage.level.staging.upload.trigger.size',
      type: 'string',
      description: expect.stringContaining('Step 1') as string,
      value: '5MB',
      defaultValue: '5MB',
      overwritten: false,
      protected: false,
      validation: 'required,minBytes=100B,maxBytes=50MB',
      inheritedFrom: 'default',
    });
    expect(byKey.get('ingest.batch')).toBeUndefined();
  });

  test('A44: each but a bool and a number without bound has its rule', () => {
    const without = describeSettings({ source: {} }, everywhere).filter(({ validation }) => validation === undefined);
    expect(without.map(({ key }) => key)).toEqual([
      'storage.level.local.encoding.compression.gzip.concurrency',
      'storage.level.local.encoding.sync.wait',
    ]);
  });

  test('they are sorted by key; a source has the 27 of the reference and ours', () => {
    const keys = describeSettings({ source: {} }, everywhere).map(({ key }) => key);
    expect(keys).toEqual(keys.toSorted());
    expect(keys).toHaveLength(27 + millraceSettings.length);
  });
});
