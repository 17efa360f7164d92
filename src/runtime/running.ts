import type { Config } from '../config/config.ts';

/** A product that runs in this process and takes events. */
export interface Running {
  /** Base URL of the admin API, as it listens. */
  readonly admin: string;
  /** Base URL of ingest, as it listens. */
  readonly ingest: string;
  /** The root token, when it was made by this start: the only time that it is shown. */
  readonly rootTokenShown?: string;
  /** Drains, within the drain timeout, and closes everything. Idempotent. What fails by itself is started again until then. */
  stop(): Promise<void>;
}

/** Resolves when the product is ready. Rejects, with nothing left open, when it cannot start. */
export type StartProduct = (options: { readonly config: Config }) => Promise<Running>;
