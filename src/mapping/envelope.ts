import { reservedHeaders, signals, type BodyFormat, type Signal } from '../core/event.ts';
import { bodyFormat } from './body-format.ts';

/** What the headers of a record say about its event. */
export interface Envelope {
  /** Which of the headers is the value of `millrace-id`; undefined when there is none. */
  readonly idAt: number | undefined;
  readonly remoteAddress: string;
  readonly signal: Signal | undefined;
  readonly format: BodyFormat;
  /** Why it is read so: what `howRead` wants. */
  readonly decided: string | undefined;
  readonly reason: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Opens records that have the same headers but for their id, as those of one sender mostly do: one whose headers are
 * those of the record before it gets the envelope of that.
 */
export class EnvelopeReader {
  #headers: readonly string[] = [];
  #envelope = openEnvelope([]);

  /** The same as `openEnvelope`. */
  open(headers: readonly string[]): Envelope {
    if (!this.#isAlike(headers)) {
      this.#envelope = openEnvelope(headers);
      this.#headers = headers;
    }
    return this.#envelope;
  }

  #isAlike(headers: readonly string[]): boolean {
    const { idAt } = this.#envelope;
    if (headers.length !== this.#headers.length) return false;
    for (let at = 0; at < headers.length; at += 1) {
      if (headers[at] !== this.#headers[at] && at !== idAt) return false;
    }
    return true;
  }
}

/** Of headers that stand twice, the first counts. */
export function openEnvelope(headers: readonly string[]): Envelope {
  let idAt: number | undefined;
  let remoteAddress: string | undefined;
  let signal: string | undefined;
  let decided: string | undefined;
  let reason: string | undefined;
  let contentType: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (contentType === undefined && isContentType(name)) contentType = headers[at + 1];
    if (!isReserved(name)) continue;
    switch (name.toLowerCase()) {
      case reservedHeaders.id:
        idAt ??= at + 1;
        break;
      case reservedHeaders.remoteAddress:
        remoteAddress ??= headers[at + 1];
        break;
      case reservedHeaders.signal:
        signal ??= headers[at + 1];
        break;
      case reservedHeaders.format:
        decided ??= headers[at + 1];
        break;
      case reservedHeaders.formatReason:
        reason ??= headers[at + 1];
        break;
      default:
    }
  }
  return {
    idAt,
    remoteAddress: remoteAddress ?? '',
    signal: signal === undefined ? undefined : signals.find((known) => known === signal),
    format: bodyFormat({ decided, contentType, ingested: idAt !== undefined }),
    decided,
    reason,
    contentType,
  };
}

/** Whether only the product writes headers of this name. */
export function isReserved(name: string): boolean {
  const { prefix } = reservedHeaders;
  if (name.length < prefix.length || (name.charCodeAt(0) | 0x20) !== prefix.charCodeAt(0)) return false;
  return name.slice(0, prefix.length).toLowerCase() === prefix;
}

function isContentType(name: string): boolean {
  return name.length === 12 && (name === 'content-type' || name.toLowerCase() === 'content-type');
}
