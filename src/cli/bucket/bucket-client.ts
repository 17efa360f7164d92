import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type BucketShape = Schemas['Bucket'];

const buckets = '/v2/storage/buckets';
const bucket = `${buckets}/{bucketId}` as const;

/** Buckets of tables. Errors: see `Transport`. */
export class BucketClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(): Promise<readonly BucketShape[]> {
    return this.#transport.ask((api) => api.GET(buckets));
  }

  async get(bucketId: string): Promise<BucketShape> {
    return this.#transport.ask((api) => api.GET(bucket, { params: { path: { bucketId } } }));
  }

  async create(body: Schemas['CreateBucketBody']): Promise<BucketShape> {
    return this.#transport.ask((api) => api.POST(buckets, { body }));
  }

  /** With `force` its tables go with it. */
  async remove(bucketId: string, { force }: { readonly force: boolean }): Promise<void> {
    const query = force ? ({ force: 'true' } as const) : {};
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(bucket, { params: { path: { bucketId }, query } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }
}
