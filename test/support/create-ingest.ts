import { acceptDefaults, type AcceptLimits } from '../../src/stages/ingest/accept/accept-limits.ts';
import { createAcceptor, type AcceptorOptions } from '../../src/stages/ingest/accept/acceptor.ts';
import { createHttpIngest, type HttpIngest } from '../../src/stages/ingest/exchange/http-ingest.ts';
import { httpDefaults, type HttpConfig } from '../../src/stages/ingest/exchange/http-config.ts';
import { createHttpFace } from '../../src/stages/ingest/http/face.ts';
import { createOtlpFace } from '../../src/stages/ingest/otlp-http/face.ts';

/** All that bounds ingest. */
export interface IngestLimits extends AcceptLimits, HttpConfig {
  readonly maxOtlpBodyBytes: number;
}

export interface IngestParts extends Omit<AcceptorOptions, 'limits'> {
  /** What is not said is as in the product; the port is a free one. */
  readonly config?: Partial<IngestLimits>;
}

/** Ingest over HTTP with an accept core of its own, as the composition root puts it together. */
export interface Ingest extends HttpIngest {
  /** Bytes of requests that are in memory, and how many requests these are. */
  load(): { readonly bytes: number; readonly requests: number };
}

export function createIngest({ config = {}, ...parts }: IngestParts): Ingest {
  const acceptor = createAcceptor({ ...parts, limits: { ...acceptDefaults, ...config } });
  const { maxOtlpBodyBytes = 64 * 1024 ** 2 } = config;
  const faces = [createHttpFace(acceptor), createOtlpFace(acceptor, { maxBodyBytes: maxOtlpBodyBytes })];
  const listener = createHttpIngest({ acceptor, faces, config: { ...httpDefaults, port: 0, ...config } });
  return Object.assign(listener, {
    load: () => ({ bytes: acceptor.inFlight.bytes, requests: listener.requests }),
  });
}
