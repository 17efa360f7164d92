import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../core/clock.ts';
import type { TrustedProxies } from '../../../core/sender-address.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Cors } from './cors.ts';
import type { EventIds } from '../accept/event-id.ts';
import type { Problem } from './problem.ts';
import type { InFlight } from '../accept/in-flight.ts';
import type { IngestConfig } from './ingest-config.ts';
import type { IngestObserver } from '../../../telemetry/observe-ingest.ts';
import type { PlacedAppends } from '../accept/placed-appends.ts';
import type { Targets } from '../accept/targets.ts';

/** What the exchanges of one service share. */
export interface IngestContext {
  readonly config: IngestConfig;
  readonly clock: Clock;
  readonly telemetry: IngestObserver;
  readonly targets: Targets;
  readonly appends: PlacedAppends;
  readonly ids: EventIds;
  readonly inFlight: InFlight;
  readonly cors: Cors;
  readonly proxies: TrustedProxies;
  /** Aborted when the service has to leave at once. */
  readonly waiting: Waiting;
  readonly exchanges: Exchanges;
}

/** The requests that are being received or stored, and whether more are taken. */
export interface Exchanges {
  readonly open: Set<OpenExchange>;
  /** Set while the service drains. */
  closing: boolean;
  /** Called when the last open one has ended. */
  onEmpty: () => void;
}

/** A request that is being received or stored, as others may act on it. */
export interface OpenExchange {
  readonly response: ServerResponse;
  /** Its body is still arriving: nothing of it is stored. */
  readonly isReading: boolean;
  /** Answers a request that is being received, and ends its connection. */
  cut(problem: Problem): void;
  /** Answers a request that has waited for the log until its deadline; what the log does later is not known to its sender. */
  expire(now: number): void;
}
