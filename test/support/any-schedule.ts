import type { ComponentId } from '../../src/core/component.ts';
import { defaultBranch } from '../../src/core/ids.ts';
import type { Schedule } from '../../src/core/schedules/schedule.ts';

const componentId: ComponentId = 'generic-extractor';
const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } as const;

/** A schedule of the configuration `shop`, every hour, that was made at the beginning of 2026. */
export function hourly(fields: Partial<Schedule> = {}): Schedule {
  return {
    branchId: defaultBranch,
    componentId,
    configurationId: 'shop',
    cron: '0 * * * *',
    timeZone: 'UTC',
    isEnabled: true,
    variableValues: [],
    created: stamp,
    updated: stamp,
    decidedUntil: stamp.at,
    missed: 0,
    ...fields,
  };
}
