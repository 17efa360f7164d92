import type { LookupAddress } from 'node:dns';
import type { HostRule } from '../../core/host-rule.ts';
import type { HttpSettings } from '../../ports/http-client.ts';

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface HttpClientOptions extends HttpSettings {
  /** What may be asked although it is no public address. */
  readonly allowedHosts: readonly HostRule[];
  /** Default: as the operating system resolves names. */
  readonly resolve?: Resolve | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
}

/** Of one request and its answer. */
export interface HttpLimits {
  /** Of the body as it comes over the line. */
  readonly wireBytes: number;
  /** Of the body without its content codings. */
  readonly bodyBytes: number;
  /** Names and values of the headers together. */
  readonly headerBytes: number;
  readonly headers: number;
  readonly redirects: number;
}

export const usualLimits: HttpLimits = {
  wireBytes: 64 * 1024 * 1024,
  bodyBytes: 64 * 1024 * 1024,
  headerBytes: 64 * 1024,
  headers: 500,
  redirects: 5,
};

export const usualConnectTimeoutMs = 30_000;
export const usualRequestTimeoutMs = 300_000;

/** Connections to one origin at a time; more wait. */
export const maxConnections = 8;

/** Shorter than most servers wait, so that a request seldom meets a connection that the other side just closes. */
export const keepAliveMs = 4000;

/** Origins whose connections are kept. */
export const maxOrigins = 100;

/** Content codings of one body. */
export const maxCodings = 2;

/** Bytes of a window that zstd may ask for, as RFC 9659 bounds it: 8 MiB. */
export const zstdWindowLog = 23;

/** Of the body of a redirect, which nobody reads; past it the connection is closed. */
export const discardedBytes = 64 * 1024;
