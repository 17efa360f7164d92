import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type ReportShape = Schemas['Conservation'];
export type SourceReportShape = ReportShape['sources'][number];
export type SinkReportShape = SourceReportShape['sinks'][number];
export type SampleShape = Schemas['ConservationSample'];

export interface ReportQuery {
  readonly branch: string;
  /** A duration of Go: how far back samples are wanted. */
  readonly since: string;
  readonly sourceId?: string | undefined;
}

/** Whether everything arrived. Errors: see `Transport`. */
export class ReportClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async conservation({ branch, since, sourceId }: ReportQuery): Promise<ReportShape> {
    const query = sourceId === undefined ? { since } : { since, sourceId };
    return this.#transport.ask((api) =>
      api.GET('/v1/branches/{branchId}/conservation', { params: { path: { branchId: branch }, query } }),
    );
  }
}
