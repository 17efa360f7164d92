import type { ConnectionLimits } from '../../../listener/limit-connections.ts';

/** Where ingest listens over HTTP and what bounds it there (D8). */
export interface HttpConfig extends ConnectionLimits {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Other threads of this process listen there, too; absent: none does. */
  readonly isShared?: boolean;
  readonly maxBodyBytes: number;
  /** Request line and all headers of a request. */
  readonly maxHeaderBytes: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number;
  /** From the first byte of a request to the end of its headers; at most `requestTimeoutMs`. */
  readonly headersTimeoutMs: number;
  /** From the opening of a connection to its first byte. */
  readonly firstByteTimeoutMs: number;
  /** A connection without a request is closed after this. */
  readonly idleTimeoutMs: number;
  /** Addresses and CIDR ranges of proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Origins that a browser may send from; `*` for any. */
  readonly corsOrigins: readonly string[];
}

export const httpDefaults: HttpConfig = {
  host: '127.0.0.1',
  port: 7000,
  maxBodyBytes: 1024 ** 2,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 200_000,
  maxConnectionsPerAddress: 100_000,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  firstByteTimeoutMs: 5_000,
  idleTimeoutMs: 30_000,
  trustedProxies: [],
  corsOrigins: ['*'],
};

/** So much of a refused request is read and thrown away, so that its sender sees the answer; then the connection is cut. */
export function discardLimit({ maxBodyBytes }: HttpConfig): number {
  return 2 * maxBodyBytes;
}
