import { observeGroups } from '../../telemetry/observe-groups.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { observedLog } from './observed-log.ts';
import type { Ports } from './ports.ts';
import { timedCatalog, timedObjects } from './timed-store.ts';

export interface Observing {
  readonly telemetry: Telemetry;
  /**
   * The log whose groups this thread is a member of; a log is left as it is where events are appended to it. Undefined: it joins none.
   */
  readonly joined: 'sourceLog' | 'sinkLog' | undefined;
}

/** The ports of a thread, whose calls are measured as far as they are none per event. */
export function observedPorts(ports: Ports, { telemetry, joined }: Observing): Ports {
  return {
    ...ports,
    catalog: timedCatalog(ports.catalog, telemetry),
    objects: timedObjects(ports.objects, telemetry),
    ...(joined === undefined ? {} : { [joined]: observedLog(ports[joined], observeGroups(telemetry)) }),
  };
}
