import { parseTrustedProxies } from '../../../core/sender-address.ts';
import { HttpListener } from '../../../listener/http-listener.ts';
import { Renewals } from '../../../listener/renewals.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import type { IngestListener } from '../accept/ingest-listener.ts';
import { ListenerLife, type Transport, type TransportNeeds } from '../accept/listener-life.ts';
import { createCors } from './cors.ts';
import type { OpenExchange } from './exchange-context.ts';
import type { Face } from './face.ts';
import type { HttpConfig } from './http-config.ts';
import { createListener } from './listener.ts';
import { routeNotFound } from './problem.ts';
import { UnsentAnswers } from './unsent-answers.ts';

export interface HttpIngestOptions {
  readonly acceptor: Acceptor;
  /** Whose paths begin differently. */
  readonly faces: readonly Face[];
  readonly config: HttpConfig;
}

/** Takes events over HTTP and puts them into the log. */
export interface HttpIngest extends IngestListener {
  /** How many requests are being received or stored. */
  readonly requests: number;
}

const id = 'ingest';

/** Makes the listener; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createHttpIngest(options: HttpIngestOptions): HttpIngest {
  return new ListenerLife<OpenExchange>(id, options.acceptor, (needs) => createTransport(options, needs));
}

function createTransport(
  { acceptor, faces, config }: HttpIngestOptions,
  { intakes, waiting }: TransportNeeds<OpenExchange>,
): Transport {
  const renewals = new Renewals();
  const server = createListener({
    config,
    acceptor,
    intakes,
    faces,
    routeNotFound: routeNotFound(faces.flatMap(({ routes }) => routes)),
    cors: createCors(config.corsOrigins),
    unsent: new UnsentAnswers(acceptor.inFlight),
    renewals,
    proxies: parseTrustedProxies(config.trustedProxies),
    waiting,
  });
  const listener = new HttpListener(server, {
    host: config.host,
    port: config.port,
    isShared: config.isShared ?? false,
    name: id,
  });
  return {
    ended: listener.ended,
    start: () => listener.start(),
    address: () => listener.address(),
    close: () => listener.close(),
    // Those that wait for the next request, and those that never sent any.
    closeUnused: () => {
      server.closeIdleConnections();
      for (const socket of listener.sockets) if (socket.bytesRead === 0) socket.destroy();
    },
    renew: () => renewals.begin(listener.sockets),
    closeAll: () => server.closeAllConnections(),
  };
}
