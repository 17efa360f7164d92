import type { SettingOverrides } from '../source.ts';

/**
 * What settings are by default for somebody who tries things out: a row is in its table well within a second. Shorter than a user may
 * set, because each slice and each import costs a write to the disk.
 */
export const quickSettings: SettingOverrides = {
  'storage.level.staging.upload.trigger.interval': '200ms',
  'storage.level.target.import.trigger.interval': '200ms',
};
