import type { SettingOverrides } from '../source.ts';
import type { SettingsPatch } from './parse-settings.ts';

/** The overrides after a patch: merged by key, null removes. Key order is the catalogue's only where the patch made it. */
export function mergeOverrides(current: SettingOverrides, patch: SettingsPatch['overrides']): SettingOverrides {
  const merged: Record<string, SettingOverrides[string]> = { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}
