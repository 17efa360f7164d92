import { formatByteSize } from '../../../core/settings/byte-size.ts';
import type { ConnectionFault } from '../../../listener/connection-fault.ts';
import type { ProtocolFault } from '../../../listener/protocol-fault.ts';
import { errorName, type Fault, type Refusal, type Stored } from '../../../events/refusal.ts';

/** Why a request is refused, as its sender sees it over HTTP. */
export interface Problem {
  readonly kind: 'problem';
  readonly status: number;
  /** With the prefix `stream.in.`. */
  readonly error: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
  readonly acceptEncoding?: string | undefined;
  readonly stored?: Stored | undefined;
}

function problem(status: number, name: string, message: string): Problem {
  return { kind: 'problem', status, error: errorName(name), message };
}

/** The status of what is at fault. */
export const statuses: Readonly<Record<Fault, number>> = {
  invalid: 400,
  notFound: 404,
  tooLarge: 413,
  unsupported: 415,
  busy: 429,
  unavailable: 503,
  internal: 500,
};

/** What the accept core or a face refuses, as HTTP. */
export function problemOf({ fault, name, message, retryAfterSeconds, acceptEncoding, stored }: Refusal): Problem {
  return { ...problem(statuses[fault], name, message), retryAfterSeconds, acceptEncoding, stored };
}

const requestTimeout = problem(408, 'requestTimeout', 'The request did not arrive in time. Nothing of it was stored.');

/** `routes` says what the paths of events are. */
export function routeNotFound(routes: readonly string[]): Problem {
  const paths = routes.map((route) => `"${route}"`).join(' and ');
  return problem(404, 'routeNotFound', `There is nothing at this path. Events are taken at ${paths}.`);
}

/** A known path, asked in another way; `methods` as in the header Allow. */
export function methodNotAllowed(method: string, methods: string): Problem {
  const wanted = `This path takes ${methods}, not "${method.slice(0, 20)}".`;
  return problem(405, 'methodNotAllowed', methods.includes('POST') ? `${wanted} Send events with POST.` : wanted);
}

export function expectation(text: string): Problem {
  return problem(
    417,
    'expectationFailed',
    `Invalid header "Expect" value "${text.slice(0, 50)}": must be "100-continue".`,
  );
}

/** The refusal of a request that Node's parser let through though it is not HTTP/1.1. */
export function protocolProblem(fault: ProtocolFault): Problem {
  switch (fault.kind) {
    case 'invalid':
      return invalidHttp(fault.reason);
    case 'coding': {
      const rule = 'must be "chunked". A compressed body says so in Content-Encoding';
      const message = `Invalid header "Transfer-Encoding" value "${fault.coding.slice(0, 50)}": ${rule}.`;
      return problem(501, 'notImplemented', message);
    }
    default:
      return fault satisfies never;
  }
}

/** The refusal of what comes over a connection that cannot go on. */
export function connectionProblem(fault: ConnectionFault, maxHeaderBytes: number): Problem {
  switch (fault.kind) {
    case 'headersTooLarge':
      return headerTooLarge(maxHeaderBytes);
    case 'timeout':
      return requestTimeout;
    case 'invalid':
      return invalidHttp(fault.reason);
    default:
      return fault satisfies never;
  }
}

function headerTooLarge(maxBytes: number): Problem {
  return problem(413, 'headerTooLarge', `Request header size is over the maximum "${formatByteSize(maxBytes)}".`);
}

function invalidHttp(reason: string): Problem {
  return problem(400, 'badRequest', `The request is not valid HTTP/1.1: ${reason}.`);
}

/** The answer body: one JSON object. */
export function problemBody({ status, error, message, stored }: Problem): string {
  return JSON.stringify({ statusCode: status, error, message, stored });
}
