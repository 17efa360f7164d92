import { describe, expect, test } from 'vitest';
import { expectSpecPage, markdownTable } from '../../../test/support/spec-page.ts';
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

describe('the catalogue of settings', () => {
  test('it has the 27 keys of the reference, of which the user may change 7', () => {
    expect(storageSettings).toHaveLength(27);
    expect(storageSettings.filter((setting) => !setting.protected)).toHaveLength(7);
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
