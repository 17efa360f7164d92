import { randomFillSync } from 'node:crypto';
import type { Clock } from '../../../core/clock.ts';
import type { SharedSum } from '../../../core/shared-sum.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import type { IngestObserver } from '../../../telemetry/observe-ingest.ts';
import type { RequestSpans } from '../../../telemetry/request-spans.ts';
import type { AcceptLimits } from './accept-limits.ts';
import { Decoders } from '../../../events/encoding/decoders.ts';
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
  /** Absent: traces are off. */
  readonly spans?: RequestSpans | undefined;
  readonly limits: AcceptLimits;
  /** Bytes in memory of all threads that take events, which `limits` bounds together; absent: this is the only one. */
  readonly heldTogether?: SharedSum | undefined;
  /** Which of the threads that take events this is, from 0; absent: it is the only one. */
  readonly thread?: number | undefined;
}

/** What all listeners of a thread share: the sources, the log, a budget of bytes, a maker of ids, a rotation of long work, decoders. */
export interface Acceptor extends AcceptorOptions {
  readonly ids: EventIds;
  readonly inFlight: InFlight;
  readonly turns: Turns;
  readonly decoders: Decoders;
}

export function createAcceptor(options: AcceptorOptions): Acceptor {
  return {
    ...options,
    ids: createEventIds((words) => void randomFillSync(words)),
    inFlight: new InFlight(options.limits.maxBufferedBytes, options.heldTogether),
    turns: new Turns(),
    decoders: new Decoders(),
  };
}
