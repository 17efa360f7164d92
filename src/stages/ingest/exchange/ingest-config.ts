/** Where ingest listens and what bounds it (D8). */
export interface IngestConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly maxBodyBytes: number;
  /** Request line and all headers of a request. */
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number;
  /** From the first byte of a request to the end of its headers; at most `requestTimeoutMs`. */
  readonly headersTimeoutMs: number;
  /** From the last byte of a request to its answer, whatever the log does. */
  readonly appendTimeoutMs: number;
  /** A connection without a request is closed after this. */
  readonly idleTimeoutMs: number;
  /** Bytes of requests that are being received or are not yet in the log; past it requests are answered with 429. */
  readonly maxBufferedBytes: number;
  /** How long a drain waits for bodies that are still arriving. */
  readonly drainBodyMs: number;
  /** Addresses and CIDR ranges of proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Origins that a browser may send from; `*` for any. */
  readonly corsOrigins: readonly string[];
}

export const ingestDefaults: IngestConfig = {
  host: '127.0.0.1',
  port: 7000,
  maxBodyBytes: 1024 ** 2,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 200_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  appendTimeoutMs: 10_000,
  idleTimeoutMs: 30_000,
  maxBufferedBytes: 64 * 1024 ** 2,
  drainBodyMs: 2_000,
  trustedProxies: [],
  corsOrigins: ['*'],
};

/** What a partition could not send within this goes to another one. */
export const placementPatienceMs = 1000;

/** A log that says nothing until so long after its deadline is not waited for: it says more when it does. */
export const appendGraceMs = 500;

/** How often requests are looked at that wait for the log. */
export const appendSweepMs = 250;

/** So much of a refused request is read and thrown away, so that its sender sees the answer; then the connection is cut. */
export function discardLimit({ maxBodyBytes }: IngestConfig): number {
  return 2 * maxBodyBytes;
}
