import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlConfig } from '../control/control.ts';
import type { Surroundings } from '../control/parts.ts';

interface ApiConfig extends ControlConfig {
  /** Version of the product, as the API's description tells it. */
  readonly version: string;
  /** Where to listen; port 0 takes a free one. */
  readonly host: string;
  readonly port: number;
  /** At a time. */
  readonly maxConnections: number;
  /** Base of the addresses in answers, without a slash at the end; read at every answer. Absent: where it listens. */
  readonly publicAdminUrl?: () => string;
  /** Base of the addresses that senders use. */
  readonly publicIngestUrl: () => string;
  /** Addresses or networks (`10.0.0.0/8`) whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  /** The largest body that ingest takes. */
  readonly maxBodyBytes: number;
  /** Origins that browsers may call from; `*` allows all. */
  readonly corsOrigins: readonly string[];
  /** Where other processes of the role reach this one; absent: where it listens, as far as that can be told. */
  readonly advertisedUrl?: string;
}

type OpsHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Answers of the operator's pages; each writes the whole response. */
export interface OpsHandlers {
  readonly metrics: OpsHandler;
  readonly live: OpsHandler;
  readonly ready: OpsHandler;
}

export interface ApiDependencies extends Surroundings {
  readonly config: ApiConfig;
  /** SHA-256 of the root token, hexadecimal. */
  readonly rootTokenHash: string;
  readonly ops: OpsHandlers;
}
