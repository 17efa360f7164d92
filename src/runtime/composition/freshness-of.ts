import type { Clock } from '../../core/clock.ts';
import { freshnessTargetMs } from '../../core/freshness.ts';
import type { Configuration } from '../../stages/replica/configuration.ts';
import type { Freshness } from '../../telemetry/freshness.ts';

/** As the configuration is now. */
export function freshnessOf(configuration: Configuration, clock: Clock): Freshness {
  return {
    now: () => clock.now(),
    targetMs: (key) => freshnessTargetMs(configuration.settingsOf(key)),
    countsSince: (key) => Date.parse(configuration.sinkOf(key)?.created.at ?? new Date(0).toISOString()),
  };
}
