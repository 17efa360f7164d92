import type { TrustedProxies } from '../core/sender-address.ts';
import type { Addresses } from './addresses.ts';
import type { Parts } from '../control/parts.ts';

/** The OpenAPI document of the routes. */
export interface Description {
  json(): Promise<string>;
  yaml(): Promise<string>;
  /** Path of the documentation as a browser asks for it: a proxy in front may add steps. */
  path(): string;
}

/** What handlers work with. */
export interface ApiContext extends Parts {
  readonly addresses: Addresses;
  readonly description: Description;
  readonly proxies: TrustedProxies;
  /** The largest body that ingest takes. */
  readonly maxBodyBytes: number;
  /** Of the product. */
  readonly version: string;
}
