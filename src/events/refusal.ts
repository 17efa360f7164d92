import type { MillraceError } from '../core/millrace-error.ts';
import type { SourceType } from '../core/source.ts';

/** What is at fault; each protocol has a status of its own for each of them. */
export type Fault = 'invalid' | 'notFound' | 'tooLarge' | 'unsupported' | 'busy' | 'unavailable' | 'internal';

/**
 * What is known of the events of a request; `maybe`: they were handed to the log, and its answer is missing; sent again
 * they may be there twice.
 */
export type Stored = 'no' | 'maybe';

/** Why the events of a request were not taken, as their sender is told in any protocol. */
export interface Refusal {
  readonly kind: 'refusal';
  readonly fault: Fault;
  /** For programs: `tooManyRequests`. */
  readonly name: string;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** Of a content coding that is not known: those that are, as a list. */
  readonly acceptEncoding?: string;
  /** Absent where nothing could be stored anyway, for example without a source. */
  readonly stored?: Stored;
}

/** The name of a refusal as programs get it. */
export function errorName(name: string): string {
  return `stream.in.${name}`;
}

export function refusal(fault: Fault, name: string, message: string): Refusal {
  return { kind: 'refusal', fault, name, message };
}

function later(name: string, retryAfterSeconds: number, message: string): Refusal {
  return { ...refusal('unavailable', name, message), retryAfterSeconds };
}

function internalError(stored: Stored, known: string): Refusal {
  const message = `The request failed for a reason that is not in it. ${known} The log of the server says more.`;
  return { ...refusal('internal', 'internalError', message), stored };
}

export const refusals = {
  disabledSource: refusal('notFound', 'disabledSource', 'The source is disabled. Enable it to send events.'),
  tooManyRequests: {
    ...refusal(
      'busy',
      'tooManyRequests',
      'Too many events are waiting to be written to the log. Nothing of this request was stored. Send it again later.',
    ),
    retryAfterSeconds: 1,
    stored: 'no',
  },
  tooManyCalls: {
    ...refusal(
      'busy',
      'tooManyRequests',
      'Too many calls are under way whose message has not arrived. Nothing of this one was stored. Send it again later.',
    ),
    retryAfterSeconds: 1,
    stored: 'no',
  },
  /** The request alone is more than all that may be in memory. */
  tooLargeForMemory: {
    ...refusal(
      'tooLarge',
      'payloadTooLarge',
      'The request with what is made of it is over what this server keeps in memory at all ("MILLRACE_MAX_BUFFERED_BYTES"). Nothing was stored. Send smaller batches.',
    ),
    stored: 'no',
  },
  /** Sent again it may come faster. */
  arrivesTooSlowly: {
    ...later('requestTimeout', 1, 'The request did not arrive in time. Nothing of it was stored.'),
    stored: 'no',
  },
  shutdown: {
    ...later('shutdown', 2, 'The server is shutting down. Nothing of this request was stored. Send it again.'),
    stored: 'no',
  },
  /** The process leaves while the log has not answered. */
  cutAppend: {
    ...later('shutdown', 2, 'The server is shutting down. The events may have been stored. Send them again.'),
    stored: 'maybe',
  },
  logRefused: {
    ...later(
      'logUnavailable',
      1,
      'The log takes no events now. Nothing of this request was stored. Send it again later.',
    ),
    stored: 'no',
  },
  unclear: {
    ...later(
      'logUnavailable',
      1,
      'The log did not confirm the events in time. They may have been stored. Send them again.',
    ),
    stored: 'maybe',
  },
  internalError: internalError('no', 'Nothing of it was stored.'),
  /** A defect of ours after the events were handed to the log. */
  cutByDefect: internalError('maybe', 'The events may have been stored.'),
} as const satisfies Readonly<Record<string, Refusal>>;

const typeNames: Readonly<Record<SourceType, string>> = { http: 'HTTP', otlp: 'OTLP' };

export function noSourceFound(type: SourceType): Refusal {
  const message = `No ${typeNames[type]} source has this project ID, source ID and secret.`;
  return refusal('notFound', 'noSourceFound', message);
}

/** Why a source takes no events for a while: answered with status 503 and Retry-After. */
export interface SourceRefusal {
  /** Error name without the prefix `stream.in.`, for example `budgetSpent`. */
  readonly error: string;
  /** A sentence for the sender: what is wrong and what helps. */
  readonly message: string;
  readonly retryAfterSeconds: number;
}

/** Told before the log is asked, when the disk is known to be full, and when the log refuses because it is. */
export const diskFull: SourceRefusal = {
  error: 'diskFull',
  message: 'The disk is full: events are taken again when there is space.',
  retryAfterSeconds: 10,
};

/** Of a source that takes no events for a while. */
export function hindered({ error, message, retryAfterSeconds }: SourceRefusal): Refusal {
  return later(error, retryAfterSeconds, message);
}

/** What a sender is told when the log did not take its events; the operator's side of it is in `MillraceError.code`. */
export function appendRefusal(error: MillraceError): Refusal {
  switch (error.code) {
    case 'log.diskFull':
      return { ...hindered(diskFull), stored: 'no' };
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
        ...refusal('tooLarge', 'payloadTooLarge', 'The event with its headers is larger than the log takes.'),
        stored: 'no',
      };
    case 'log.refused':
    case 'log.topicNotFound':
      return refusals.logRefused;
    default:
      return refusals.unclear;
  }
}
