import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import type { Waiting } from '../../ports/waiting.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Lingering extends Waiting {
  readonly clock: Clock;
}

/** For so long a sender may go on that has its answer before it has sent everything. */
const lingerMs = 2000;

/** Cuts a sender that goes on for long after its answer, though its request may take its time. */
export function linger({ request, response }: Exchange, { clock, signal }: Lingering): void {
  const cut = (): void => {
    if (!request.complete) request.destroy();
  };
  response.once('finish', () => {
    if (request.complete) return;
    request.resume();
    clock.sleep(lingerMs, { signal }).then(cut, cut);
  });
}

/** To be called before an answer that may come early: a connection that is closed with bytes that nobody has read takes it with it. */
export function keepOpen({ request, response }: Exchange): void {
  if (!request.complete && !response.headersSent) response.removeHeader('Connection');
}
