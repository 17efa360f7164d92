import type { RetentionLimits } from '../../core/retention-limits.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import type { SettingOverrides } from '../../core/source.ts';

/** What the settings of a source say of each of its partitions, for a log that the product retains. */
export function ownLimits(settings: SettingOverrides, partitions: number): Required<RetentionLimits> {
  const { maxAgeMs, maxBytes } = effectiveSettings(settings).retention;
  return { maxAgeMs, maxBytes: Math.floor(maxBytes / partitions) };
}
