import type { MillraceError } from '../../../core/millrace-error.ts';
import { formatByteSize } from '../../../core/settings/byte-size.ts';
import { limits } from '../../../core/limits.ts';
import type { ConnectionFault } from '../../../listener/connection-fault.ts';
import type { ProtocolFault } from '../../../listener/protocol-fault.ts';

/** Why a request is refused, as its sender sees it. */
export interface Problem {
  readonly kind: 'problem';
  readonly status: number;
  /** With the prefix `stream.in.`. */
  readonly error: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** What is known of the events; absent where nothing could be stored anyway, for example without a source. */
  readonly stored?: Stored;
}

/** `maybe`: they were handed to the log, and its answer is missing; sent again they may be there twice. */
export type Stored = 'no' | 'maybe';

function problem(status: number, name: string, message: string): Problem {
  return { kind: 'problem', status, error: `stream.in.${name}`, message };
}

function later(name: string, retryAfterSeconds: number, message: string): Problem {
  return { ...problem(name === 'tooManyRequests' ? 429 : 503, name, message), retryAfterSeconds };
}

function unavailable(stored: Stored, name: string, message: string): Problem {
  return { ...later(name, 1, message), stored };
}

function internalError(stored: Stored, known: string): Problem {
  const message = `The request failed for a reason that is not in it. ${known} The log of the server says more.`;
  return { ...problem(500, 'internalError', message), stored };
}

const routes = '"POST /stream/{projectId}/{sourceId}/{secret}" and "POST /stream/{projectId}/{sourceId}"';

export const problems = {
  routeNotFound: problem(404, 'routeNotFound', `There is nothing at this path. Events are taken at ${routes}.`),
  noSourceFound: problem(404, 'noSourceFound', 'No HTTP source has this project ID, source ID and secret.'),
  disabledSource: problem(404, 'disabledSource', 'The source is disabled. Enable it to send events.'),
  notImplemented: problem(
    501,
    'notImplemented',
    'OTLP sources are not served by this version. Send events to /stream.',
  ),
  tooManyRequests: unavailable(
    'no',
    'tooManyRequests',
    'Too many events are waiting to be written to the log. Nothing of this request was stored. Send it again later.',
  ),
  shutdown: {
    ...later('shutdown', 2, 'The server is shutting down. Nothing of this request was stored. Send it again.'),
    stored: 'no',
  },
  /** The process leaves while the log has not answered. */
  cutAppend: {
    ...later('shutdown', 2, 'The server is shutting down. The events may have been stored. Send them again.'),
    stored: 'maybe',
  },
  logRefused: unavailable(
    'no',
    'logUnavailable',
    'The log takes no events now. Nothing of this request was stored. Send it again later.',
  ),
  unclear: unavailable(
    'maybe',
    'logUnavailable',
    'The log did not confirm the events in time. They may have been stored. Send them again.',
  ),
  requestTimeout: problem(408, 'requestTimeout', 'The request did not arrive in time. Nothing of it was stored.'),
  internalError: internalError('no', 'Nothing of it was stored.'),
  /** A defect of ours after the events were handed to the log. */
  cutByDefect: internalError('maybe', 'The events may have been stored.'),
  invalidPath: problem(
    400,
    'badRequest',
    'The path holds a "%" that does not begin a valid percent-encoding of UTF-8.',
  ),
  tooManyEvents: problem(
    413,
    'tooManyEvents',
    `The request holds more than ${limits.eventsPerRequest} events. Nothing was stored. Send smaller batches.`,
  ),
} as const;

export function invalidProjectId(text: string): Problem {
  return problem(
    400,
    'badRequest',
    `Invalid project ID "${text.slice(0, 50)}": must be an integer of up to 15 digits.`,
  );
}

export function invalidBatch(text: string): Problem {
  const rule = 'must be one of "off", "lines", "array", "auto"';
  return problem(400, 'badRequest', `Invalid query parameter "batch" value "${text.slice(0, 50)}": ${rule}.`);
}

export function invalidArray(message: string): Problem {
  return problem(400, 'badRequest', `${message} Nothing was stored.`);
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
      const rule = 'must be "chunked". The body itself may be compressed; it is stored as it comes';
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
      return problems.requestTimeout;
    case 'invalid':
      return invalidHttp(fault.reason);
    default:
      return fault satisfies never;
  }
}

export function bodyTooLarge(maxBytes: number): Problem {
  return problem(413, 'bodyTooLarge', `Request body size is over the maximum "${formatByteSize(maxBytes)}".`);
}

function headerTooLarge(maxBytes: number): Problem {
  return problem(413, 'headerTooLarge', `Request header size is over the maximum "${formatByteSize(maxBytes)}".`);
}

function invalidHttp(reason: string): Problem {
  return problem(400, 'badRequest', `The request is not valid HTTP/1.1: ${reason}.`);
}

/** What a sender is told when the log did not take its events; the operator's side of it is in `MillraceError.code`. */
export function appendProblem(error: MillraceError): Problem {
  switch (error.code) {
    case 'log.full':
      return {
        ...later(
          'storageFull',
          10,
          'The storage for events is full. It did not confirm the events. Send them again later.',
        ),
        stored: 'maybe',
      };
    case 'log.recordTooLarge':
      return {
        ...problem(413, 'payloadTooLarge', 'The event with its headers is larger than the log takes.'),
        stored: 'no',
      };
    case 'log.refused':
    case 'log.topicNotFound':
      return problems.logRefused;
    default:
      return problems.unclear;
  }
}

/** The answer body: one JSON object. */
export function problemBody({ status, error, message, stored }: Problem): string {
  return JSON.stringify({ statusCode: status, error, message, stored });
}
