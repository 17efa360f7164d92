import type { Addresses } from './addresses.ts';
import type { Parts } from '../control/parts.ts';
import type { IngestRules } from '../control/reports/payload-events.ts';

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
  readonly ingestRules: IngestRules;
  /** Of the product. */
  readonly version: string;
}
