import type { SourceKey } from '../../core/ids.ts';
import type { SourceType } from '../../core/source.ts';
import { takesEvents } from '../../core/takes-events.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { acceptDefaults } from '../../stages/ingest/accept/accept-limits.ts';
import { createAcceptor, type Acceptor } from '../../stages/ingest/accept/acceptor.ts';
import type { IngestListener } from '../../stages/ingest/accept/ingest-listener.ts';
import { ReplicaDirectory } from '../../stages/ingest/accept/replica-directory.ts';
import type { Face } from '../../stages/ingest/exchange/face.ts';
import { httpDefaults } from '../../stages/ingest/exchange/http-config.ts';
import { createHttpIngest } from '../../stages/ingest/exchange/http-ingest.ts';
import { createHttpFace } from '../../stages/ingest/http/face.ts';
import { createOtlpGrpcIngest } from '../../stages/ingest/otlp-grpc/otlp-grpc-ingest.ts';
import { createOtlpFace } from '../../stages/ingest/otlp-http/face.ts';
import type { Definitions } from '../../stages/replica/definitions.ts';
import { observeIngest } from '../../telemetry/observe-ingest.ts';
import { requestSpans } from '../../telemetry/request-spans.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Supervise, Supervised } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import type { Ports } from './ports.ts';
import { boundsOfThread, type ThreadBounds } from './shared-bounds.ts';
import { sourceRefusal, type SourceHindrances } from './source-hindrances.ts';
import { superviseListener, type Place } from './supervise-listener.ts';
import type { EventPlaces, IngestSpec } from './thread-messages.ts';

export interface IngestContext {
  readonly spec: IngestSpec;
  /** As the thread starts. */
  readonly hindrances: SourceHindrances;
  readonly ports: Pick<Ports, 'sourceLog'>;
  readonly definitions: Definitions;
  readonly telemetry: Telemetry;
  readonly supervise: Supervise;
}

/** The listeners for events of a thread. */
export interface OpenedIngest {
  readonly services: readonly Supervised[];
  /** Where they listen. */
  readonly places: EventPlaces;
  /** From now on sources take no events for these reasons alone. */
  readonly hinder: (hindrances: SourceHindrances) => void;
  /** Resolves when this thread refuses the source's senders, and what they had sent before has its answer. */
  readonly sendersRefused: (key: SourceKey, waiting: Waiting) => Promise<void>;
  /** Resolves when this thread takes events by the definitions of now; rejects when the catalog does not tell. */
  readonly sendersServed: (waiting: Waiting) => Promise<void>;
  /** Another thread has begun to listen at the same places: senders of this one make new connections, of which it gets its part. */
  readonly renew: () => void;
}

/** Takes events from now on, at all listeners of the thread; they share one accept core. */
export async function openIngest(context: IngestContext): Promise<OpenedIngest> {
  const { spec, definitions, telemetry, supervise } = context;
  let { hindrances } = context;
  const bounds = spec.together && boundsOfThread(spec.together.bounds, spec.together.own);
  const sources = new ReplicaDirectory({
    definitions,
    projectId: spec.projectId,
    refusal: (source) => sourceRefusal(source, hindrances),
  });
  const acceptor = createAcceptor({
    log: context.ports.sourceLog,
    sources,
    clock: systemClock,
    telemetry: observeIngest(telemetry),
    spans: telemetry.spans && requestSpans(telemetry.spans, systemClock),
    limits: { ...acceptDefaults, ...spec.limits },
    heldTogether: bounds?.held,
    thread: spec.together?.own,
  });
  const http = await superviseListener({
    make: httpIngestOf({ spec, acceptor, bounds }),
    place: spec.places.ingest,
    supervise,
  });
  const { otlpGrpc: place } = spec.places;
  const grpc = place && (await superviseListener({ make: otlpGrpcOf({ spec, acceptor, bounds }), place, supervise }));
  const listeners = [http, ...(grpc === undefined ? [] : [grpc])].map(({ supervised }) => supervised);
  return {
    services: listeners,
    places: { ingest: http.address, ...(grpc === undefined ? {} : { otlpGrpc: grpc.address }) },
    hinder: (changed) => {
      hindrances = changed;
      sources.changed();
    },
    sendersRefused: async (key, { signal }) => {
      while (takesEvents(definitions.sourceOf(key))) await systemClock.sleep(5, { signal });
      await Promise.all(listeners.map(({ current }) => current.settled({ signal })));
    },
    sendersServed: (waiting) => definitions.load(waiting),
    renew: () => listeners.forEach(({ current }) => current.renew()),
  };
}

/** Who takes the events of sources of a type, over HTTP. */
const faceOf: Readonly<Record<SourceType, (acceptor: Acceptor, limits: IngestSpec['limits']) => Face>> = {
  http: createHttpFace,
  otlp: (acceptor, { maxOtlpBodyBytes: maxBodyBytes }) => createOtlpFace(acceptor, { maxBodyBytes }),
};

interface Listened {
  readonly spec: IngestSpec;
  readonly acceptor: Acceptor;
  /** Counted with other threads; absent: there are none. */
  readonly bounds: ThreadBounds | undefined;
}

/** HTTP, with every face that comes over it. */
function httpIngestOf({ spec, acceptor, bounds }: Listened): (place: Place) => IngestListener {
  const { limits, trustedProxies, corsOrigins, connections } = spec;
  const faces = Object.values(faceOf).map((create) => create(acceptor, limits));
  return (place) =>
    createHttpIngest({
      acceptor,
      faces,
      config: {
        ...httpDefaults,
        ...limits,
        ...place,
        ...connections.ingest,
        together: bounds?.ingest,
        trustedProxies,
        corsOrigins,
      },
    });
}

/** OTLP over gRPC, which has a port of its own. */
function otlpGrpcOf({ spec, acceptor, bounds: shared }: Listened): (place: Place) => IngestListener {
  const { projectId, trustedProxies, limits, connections } = spec;
  const { maxOtlpBodyBytes: maxBodyBytes, requestTimeoutMs, idleTimeoutMs } = limits;
  const bounds = { ...connections.otlpGrpc, maxBodyBytes, requestTimeoutMs, idleTimeoutMs };
  const together = { together: shared?.otlpGrpc, arrivingTogether: shared?.arriving };
  return (place) =>
    createOtlpGrpcIngest({ acceptor, projectId, config: { ...place, ...bounds, ...together, trustedProxies } });
}
