import { expect, test } from 'vitest';
import { settingCatalogue } from './setting-catalogue.ts';
import { withoutEffect, type SettingPlace } from './without-effect.ts';

const everything: SettingPlace = { sourceType: 'http', hasOwnLog: true, hasRegistry: true };

function idle(place: Partial<SettingPlace>): readonly string[] {
  const idleThere = settingCatalogue.filter((one) => withoutEffect(one, { ...everything, ...place }) !== undefined);
  return idleThere.map(({ key }) => key).filter((key) => !key.startsWith('storage.level.'));
}

test('a setting says where it changes nothing', () => {
  expect(idle({})).toEqual([]);
  expect(idle({ hasOwnLog: false })).toEqual(['log.retention.interval', 'log.retention.maxAge', 'log.retention.size']);
  expect(idle({ hasRegistry: false })).toEqual(['kafka.value.format']);
  expect(idle({ sourceType: 'otlp' })).toEqual(['ingest.batch', 'ingest.defaultContentType']);
});

test('one that only clients read changes nothing anywhere, and its description says so', () => {
  for (const setting of settingCatalogue) {
    const isIdle = withoutEffect(setting, everything) !== undefined;
    expect([setting.key, isIdle]).toEqual([setting.key, setting.description.startsWith('No effect in this product')]);
  }
});
