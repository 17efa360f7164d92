import type { Configuration } from '../../stages/replica/configuration.ts';
import { StatusBoard } from '../../stages/status/status-board.ts';
import { observeStatus } from '../../telemetry/observe-status.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { systemClock } from '../system-clock.ts';
import type { Ports } from './ports.ts';
import type { ThreadData } from './thread-messages.ts';

/** What a thread has for a role that works on sinks. */
export interface SinkContext {
  readonly spec: ThreadData;
  readonly localFolder: string;
  readonly maxAppendBytes: number;
  readonly ports: Ports;
  readonly telemetry: Telemetry;
  readonly configuration: Configuration;
}

export function statusBoard(
  role: 'map' | 'stage',
  { spec, ports, telemetry, configuration }: SinkContext,
): StatusBoard {
  const observer = observeStatus(telemetry, (incarnation) => configuration.keyOf(incarnation));
  return new StatusBoard({
    catalog: ports.catalog,
    clock: systemClock,
    role,
    member: spec.instance,
    observer,
  });
}
