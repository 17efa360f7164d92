import { describe, expect, test } from 'vitest';
import { expectSpecPage, markdownTable } from '../../../test/support/spec-page.ts';
import { describeSettings } from './describe-settings.ts';
import { settingCatalogue } from './setting-catalogue.ts';
import type { Setting } from './setting.ts';
import { parseSettingValue, rangeText, settingType } from './setting-value.ts';
import { storageSettings } from './storage-settings.ts';

function row({ key, kind, defaultValue, protected: isProtected, level, description }: Setting): readonly string[] {
  const shown =
    defaultValue === ''
      ? 'empty'
      : `\`${typeof defaultValue === 'string' ? defaultValue : JSON.stringify(defaultValue)}\``;
  return [
    `\`${key}\``,
    settingType(kind),
    shown,
    rangeText(kind),
    level === 'source' ? 'source' : 'source, sink',
    isProtected ? 'operator' : 'user',
    description,
  ];
}

/** Key, type, default, rule, and U for those of the user. */
const ofTheReference: readonly string[] = [
  'local.encoding.compression.gzip.blockSize | string | "256KB" | required,minBytes=16KB,maxBytes=100MB | ',
  'local.encoding.compression.gzip.concurrency | int | 0 |  | ',
  'local.encoding.compression.gzip.implementation | string | "parallel" | required,oneof=standard fast parallel | ',
  'local.encoding.compression.gzip.level | int | 1 | required,min=1,max=9 | ',
  'local.encoding.compression.type | string | "gzip" | required,oneof=none gzip | ',
  'local.encoding.encoder.concurrency | int | 0 | min=0,max=256 | ',
  'local.encoding.encoder.type | string | "csv" | required,oneof=csv | ',
  'local.encoding.failedChunksThreshold | int | 3 | required,min=1,max=100 | ',
  'local.encoding.inputBuffer | string | "2MB" | maxBytes=16MB | ',
  'local.encoding.maxChunkSize | string | "512KB" | required,minBytes=64KB,maxBytes=1MB | ',
  'local.encoding.sync.checkInterval | string | "5ms" | required,minDuration=1ms,maxDuration=30s | ',
  'local.encoding.sync.compressedBytesTrigger | string | "256KB" | required,minBytes=100B,maxBytes=100MB | ',
  'local.encoding.sync.countTrigger | int | 10000 | required,min=1,max=1000000 | ',
  'local.encoding.sync.intervalTrigger | string | "50ms" | required,minDuration=10ms,maxDuration=30s | ',
  'local.encoding.sync.mode | string | "disk" | required,oneof=disk cache | ',
  'local.encoding.sync.uncompressedBytesTrigger | string | "1MB" | required,minBytes=100B,maxBytes=500MB | ',
  'local.encoding.sync.wait | bool | true |  | U',
  'local.volume.assignment.count | int | 1 | required,min=1,max=100 | ',
  'local.volume.assignment.preferredTypes | []string | ["default"] | required,min=1 | ',
  'staging.upload.trigger.count | int | 10000 | required,min=1,max=10000000 | U',
  'staging.upload.trigger.interval | string | "30s" | required,minDuration=1s,maxDuration=30m | U',
  'staging.upload.trigger.size | string | "5MB" | required,minBytes=100B,maxBytes=50MB | U',
  'target.import.trigger.count | int | 50000 | required,min=1,max=10000000 | U',
  'target.import.trigger.expiration | string | "30m0s" | required,minDuration=5m,maxDuration=45m | ',
  'target.import.trigger.interval | string | "1m0s" | required,minDuration=30s,maxDuration=24h | U',
  'target.import.trigger.size | string | "50MB" | required,minBytes=100B,maxBytes=500MB | U',
  'target.import.trigger.slicesCount | int | 100 | required,min=1,max=200 | ',
];

describe('the catalogue of settings', () => {
  test('it has the 27 keys of the reference, of which the user may change 7', () => {
    expect(storageSettings).toHaveLength(27);
    expect(storageSettings.filter((setting) => !setting.protected)).toHaveLength(7);
  });

  test('of those it has exactly the types, defaults, rules and rights of the reference', () => {
    const shown = describeSettings({ source: {} }, { sourceType: 'http', hasOwnLog: true, hasRegistry: true }).filter(
      ({ key }) => key.startsWith('storage.level.'),
    );
    expect(
      shown.map(({ key, type, defaultValue, validation = '', protected: closed }) =>
        [key.slice('storage.level.'.length), type, JSON.stringify(defaultValue), validation, closed ? '' : 'U'].join(
          ' | ',
        ),
      ),
    ).toEqual(ofTheReference);
  });

  test('a setting of the operator that has no effect says so', () => {
    const effective = [
      'compression.type',
      'gzip.level',
      'local.encoding.encoder.type',
      'target.import.trigger.slicesCount',
    ];
    for (const { key, description, protected: closed } of storageSettings)
      expect(description.startsWith('No effect in this product'), key).toBe(
        closed && !effective.some((one) => key.endsWith(one)),
      );
  });

  test('every key stands in it once', () => {
    expect(new Set(settingCatalogue.map(({ key }) => key)).size).toBe(settingCatalogue.length);
  });

  test.each(settingCatalogue)('the default of $key is allowed and canonical', (setting) => {
    expect(parseSettingValue(setting, setting.defaultValue)).toEqual({ kind: 'value', value: setting.defaultValue });
  });

  test('docs/spec/settings.md is made from it', async () => {
    await expectSpecPage(
      'settings.md',
      `# Settings

Settings are given per source and per sink; a sink inherits from its source, a source from the defaults. A size is text such as
\`256KB\` (KB is 1024 bytes) or a number of bytes; a duration is text such as \`1m0s\` or a number of nanoseconds. \`null\`
removes an override. A value out of range is refused in the request, naming key, value and range. Keys of the operator
answer 403. This page is made from \`src/core/settings/\`; a test holds the two together.

${markdownTable(['key', 'type', 'default', 'value', 'given on', 'changed by', 'meaning'], settingCatalogue.map(row))}
`,
    );
  });
});
