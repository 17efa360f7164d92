import { millraceSettings } from './millrace-settings.ts';
import type { Setting } from './setting.ts';
import { storageSettings } from './storage-settings.ts';

/**
 * Every setting of the product, in the order in which problems are reported. `docs/spec/settings.md` shows the same
 * list; a test holds the two together.
 */
export const settingCatalogue: readonly Setting[] = [...storageSettings, ...millraceSettings];

const byKey: ReadonlyMap<string, Setting> = new Map(settingCatalogue.map((setting) => [setting.key, setting]));

/** The setting of this key, if the product has it. */
export function findSetting(key: string): Setting | undefined {
  return byKey.get(key);
}

/** True when the setting can be given on this level. */
export function isOffered(setting: Setting, level: 'source' | 'sink'): boolean {
  return level === 'source' || setting.level === 'both';
}
