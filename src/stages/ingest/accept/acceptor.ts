import { randomFillSync } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import type { IngestObserver } from '../../../telemetry/observe-ingest.ts';
import type { AcceptLimits } from './accept-limits.ts';
import { createEventIds, type EventIds } from '../../../events/event-id.ts';
import { InFlight } from './in-flight.ts';
import type { SourceDirectory } from './source-directory.ts';
import { Turns } from './turns.ts';

export interface AcceptorOptions {
  /** Source topics. */
  readonly log: Pick<EventLog, 'append' | 'condition'>;
  readonly sources: SourceDirectory;
  readonly clock: Clock;
  readonly telemetry: IngestObserver;
  readonly limits: AcceptLimits;
}

/** What all listeners of a process share: the sources, the log, one budget of bytes, one maker of ids, one rotation of long work. */
export interface Acceptor extends AcceptorOptions {
  readonly ids: EventIds;
  readonly inFlight: InFlight;
  readonly turns: Turns;
}

export function createAcceptor(options: AcceptorOptions): Acceptor {
  return {
    ...options,
    ids: createEventIds((words) => void randomFillSync(words)),
    inFlight: new InFlight(options.limits.maxBufferedBytes),
    turns: new Turns(),
  };
}
