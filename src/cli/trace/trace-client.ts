import type { Schemas } from '../../client/api-client.ts';
import { sinkPath, type SinkName } from '../object-name.ts';
import type { Transport } from '../transport.ts';

export type WhyShape = Schemas['SinkWhy'];
export type FindingShape = WhyShape['findings'][number];

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
}
