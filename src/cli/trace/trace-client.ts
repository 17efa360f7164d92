import type { Schemas } from '../../client/api-client.ts';
import { sinkPath, sourcePath, type SinkName, type SourceName } from '../object-name.ts';
import type { Transport } from '../transport.ts';

export type WhyShape = Schemas['SinkWhy'];
export type FindingShape = WhyShape['findings'][number];
export type TraceShape = Schemas['SourceTrace'];

/** Which events are meant, and how far is looked; see the API's description of the route. */
export interface TraceQuery {
  readonly eventId?: string;
  readonly at?: string;
  readonly sinkId?: string;
  readonly column?: string;
  readonly value?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly position?: string;
}

const source = '/v1/branches/{branchId}/sources/{sourceId}';

/** Where events are, and why they are not in the table yet. Errors: see `Transport`. */
export class TraceClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async why(name: SinkName): Promise<WhyShape> {
    return this.#transport.ask((api) => api.GET(`${source}/sinks/{sinkId}/why`, { params: { path: sinkPath(name) } }));
  }

  /** One part of a search; `position` goes on. */
  async trace(name: SourceName, query: TraceQuery): Promise<TraceShape> {
    return this.#transport.ask((api) => api.GET(`${source}/trace`, { params: { path: sourcePath(name), query } }));
  }
}
