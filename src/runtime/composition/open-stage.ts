import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';
import { StageService } from '../../stages/stage/stage-service.ts';
import { observeStage } from '../../telemetry/observe-stage.ts';
import { serviceRetry } from '../service-retry.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import { freshnessOf } from './freshness-of.ts';
import { statusBoard, type SinkContext } from './sink-context.ts';

export interface OpenedStage {
  readonly make: () => StageService;
  /** Of the service that was made last. */
  readonly openSlices: () => readonly OpenSliceState[];
}

/** What makes the service of the role stage. */
export function openStage(context: SinkContext): OpenedStage {
  const { ports, configuration, spec, telemetry, localFolder } = context;
  let current: StageService | undefined;
  const make = (): StageService => {
    current = new StageService({
      ...ports,
      configuration,
      folder: localFolder,
      status: statusBoard('stage', context),
      observer: observeStage(telemetry, freshnessOf(configuration, systemClock)),
      spans: telemetry.spans,
      clock: systemClock,
      unique,
      retry: serviceRetry,
      member: spec.instance,
      pollBytes: 1024 * 1024,
    });
    return current;
  };
  return { make, openSlices: () => current?.openSlices() ?? [] };
}
