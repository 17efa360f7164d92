import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type FileShape = Schemas['StoredFile'];
export type StorageJobShape = Schemas['StorageJob'];

const files = '/v2/storage/files';
const file = `${files}/{fileId}` as const;

export interface FileFilter {
  readonly tags: readonly string[];
  readonly name?: string | undefined;
  readonly limit: number;
}

/** Files of the storage interface. Errors: see `Transport`. */
export class FileClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The newest first. */
  async list({ tags, name, limit }: FileFilter): Promise<readonly FileShape[]> {
    const query = { limit: String(limit), tags: tags.join(','), ...(name === undefined ? {} : { q: name }) };
    return this.#transport.ask((api) => api.GET(files, { params: { query: query as unknown as { limit: number } } }));
  }

  async get(fileId: string): Promise<FileShape> {
    return this.#transport.ask((api) => api.GET(file, { params: { path: { fileId } } }));
  }

  async prepare(body: Schemas['PrepareFileBody']): Promise<FileShape> {
    return this.#transport.ask((api) => api.POST(`${files}/prepare`, { body }));
  }

  /** Sends the bytes as they come. */
  async upload(fileId: string, content: ReadableStream<Uint8Array>): Promise<FileShape> {
    return this.#transport.ask((api) =>
      api.PUT(`${file}/content`, {
        params: { path: { fileId } },
        body: content,
        bodySerializer: (body: unknown) => body as ReadableStream,
        headers: { 'Content-Type': 'application/octet-stream' },
        duplex: 'half',
      } as never),
    );
  }

  async download(fileId: string): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.ask(async (api) => {
      const { data, ...rest } = await api.GET(`${file}/content`, { params: { path: { fileId } }, parseAs: 'stream' });
      return rest.response.ok ? { ...rest, data: (data ?? new Blob([]).stream()) as ReadableStream<Uint8Array> } : rest;
    });
  }

  async remove(fileId: string): Promise<void> {
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(file, { params: { path: { fileId } } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  /** Begins to load a table from a file, or to make it. `body` is as the API takes it. */
  async load(tableId: string, body: object, isNew: boolean): Promise<StorageJobShape> {
    const dot = tableId.lastIndexOf('.');
    if (!isNew)
      return this.#transport.ask((api) =>
        api.POST('/v2/storage/tables/{tableId}/import-async', {
          params: { path: { tableId } },
          body: body as Schemas['ImportTableBody'],
        }),
      );
    const path = { bucketId: tableId.slice(0, Math.max(dot, 0)) };
    const whole = { ...body, name: tableId.slice(dot + 1) } as Schemas['CreateTableFromFileBody'];
    return this.#transport.ask((api) =>
      api.POST('/v2/storage/buckets/{bucketId}/tables-async', { params: { path }, body: whole }),
    );
  }

  async job(jobId: string): Promise<StorageJobShape> {
    return this.#transport.ask((api) => api.GET('/v2/storage/jobs/{jobId}', { params: { path: { jobId } } }));
  }
}
