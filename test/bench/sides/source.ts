import type { Api } from '../../support/api.ts';
import type { LoadedSide } from './loaded-side.ts';
import { columns } from './event.ts';
import { startProduct, type Product, type ProductOptions } from './product.ts';

const sources = '/v1/branches/default/sources';

/** Makes a source; answers where its senders post. */
export async function makeSource(api: Api, sourceId: string): Promise<URL> {
  await api.task('POST', sources, { type: 'http', name: sourceId, sourceId });
  const { http } = await api.call<{ http: { url: string } }>('GET', `${sources}/${sourceId}`);
  return new URL(http.url);
}

export interface SinkSpec {
  readonly sinkId: string;
  readonly columns: readonly object[];
}

const sixColumns: SinkSpec = { sinkId: 'rows', columns };

/** A sink of a source, with six columns unless others are given. */
export class Sink {
  readonly #api: Api;
  readonly #sourceId: string;
  readonly #spec: SinkSpec;

  constructor(api: Api, sourceId: string, spec = sixColumns) {
    this.#api = api;
    this.#sourceId = sourceId;
    this.#spec = spec;
  }

  async make(backfill: 'earliest' | 'latest' = 'latest'): Promise<void> {
    const table = { type: 'keboola', tableId: this.#tableId, mapping: { columns: this.#spec.columns } };
    const body = { type: 'table', name: 'Rows', sinkId: this.#spec.sinkId, table, backfill };
    await this.#api.task('POST', `${sources}/${this.#sourceId}/sinks`, body);
  }

  /** Resolves when all that was accepted is in the table. */
  async flush(): Promise<void> {
    await this.#api.task('POST', `${sources}/${this.#sourceId}/sinks/${this.#spec.sinkId}/flush`);
  }

  async rows(): Promise<number> {
    const { rowsCount } = await this.#api.call<{ rowsCount: number }>('GET', `/v2/storage/tables/${this.#tableId}`);
    return rowsCount;
  }

  get #tableId(): string {
    return `in.c-bench.${this.#sourceId}-${this.#spec.sinkId}`;
  }
}

/** The product with a source and no sink. */
export interface AcceptSide extends LoadedSide {
  readonly product: Product;
}

export async function startAccept(options: ProductOptions = {}): Promise<AcceptSide> {
  const product = await startProduct(options);
  const url = await makeSource(product.api, 'accept');
  return {
    name: 'product',
    pid: product.pid,
    url,
    product,
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}

/** The product with a source and one sink. */
export interface TableSide extends AcceptSide {
  readonly sink: Sink;
}

export async function startToTable(options: ProductOptions = {}): Promise<TableSide> {
  const product = await startProduct(options);
  const url = await makeSource(product.api, 'table');
  const sink = new Sink(product.api, 'table');
  await sink.make();
  return {
    name: 'product',
    pid: product.pid,
    url,
    product,
    sink,
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  };
}
