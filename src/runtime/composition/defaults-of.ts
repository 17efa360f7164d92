import type { Config } from '../../config/config.ts';
import { quickSettings } from '../../core/settings/quick-settings.ts';
import type { SettingOverrides } from '../../core/source.ts';

/** What settings are in this installation that neither source nor sink sets, beside what the product says. */
export function defaultsOf({ quick }: Pick<Config, 'quick'>): SettingOverrides {
  return quick ? quickSettings : {};
}
