import { observeGroups } from '../../telemetry/observe-groups.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { observedLog } from './observed-log.ts';
import type { Ports } from './ports.ts';
import { timedCatalog, timedObjects } from './timed-store.ts';

export interface Observing {
  readonly telemetry: Telemetry;
  /** The log whose groups this thread is a member of; the other one is left as it is, because events are appended to it. */
  readonly joined: 'sourceLog' | 'sinkLog';
}

/** The ports of a thread, whose calls are measured as far as they are none per event. */
export function observedPorts(ports: Ports, { telemetry, joined }: Observing): Ports {
  return {
    ...ports,
    catalog: timedCatalog(ports.catalog, telemetry),
    objects: timedObjects(ports.objects, telemetry),
    [joined]: observedLog(ports[joined], observeGroups(telemetry)),
  };
}
