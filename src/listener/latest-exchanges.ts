import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * What a connection that cannot go on is doing. Nothing: the fault may be answered on it. Receiving the request that is
 * at fault, which has no answer yet. Or answering an earlier request: any answer would be taken for that one's.
 */
export type ConnectionState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'receiving'; readonly response: ServerResponse }
  | { readonly kind: 'answering'; readonly response: ServerResponse };

/** Knows the last request of each connection. */
export class LatestExchanges {
  readonly #byConnection = new WeakMap<Duplex, Exchange>();
  readonly #long = new WeakSet<IncomingMessage>();

  note(request: IncomingMessage, response: ServerResponse): void {
    this.#byConnection.set(request.socket, { request, response });
  }

  /** The request takes its time: that it has not arrived by now is no fault. */
  takeLong(request: IncomingMessage): void {
    this.#long.add(request);
  }

  /** True while a connection receives such a request. */
  mayTakeLong(connection: Duplex): boolean {
    const latest = this.#byConnection.get(connection);
    return latest !== undefined && !latest.request.complete && this.#long.has(latest.request);
  }

  stateOf(connection: Duplex): ConnectionState {
    const latest = this.#byConnection.get(connection);
    if (latest === undefined) return { kind: 'idle' };
    const { request, response } = latest;
    if (!request.complete) return { kind: response.headersSent ? 'answering' : 'receiving', response };
    return response.writableFinished ? { kind: 'idle' } : { kind: 'answering', response };
  }
}

/** Ends a connection once the answer that is under way has been sent. */
export function endAfter(connection: Duplex, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  const end = (): void => {
    connection.end(() => connection.destroy());
  };
  if (response.writableFinished) end();
  else response.once('close', end);
}
