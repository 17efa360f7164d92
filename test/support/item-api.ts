import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API that pages through numbered items by limit and offset. Its answers may be held back. */
export class ItemApi implements AsyncDisposable {
  readonly #server: Server;
  #gate: { readonly offset: number; readonly opened: Promise<void>; readonly reached: () => void } | undefined;
  /** Paths that were asked for. */
  readonly seen: string[] = [];
  /** Values of the header `x-key` that came with them. */
  readonly keys: string[] = [];
  /** So many items there are. */
  items: number;
  status = 200;

  private constructor(items: number) {
    this.items = items;
    this.#server = createServer(({ url = '', headers }, response) => {
      if (headers['x-key'] !== undefined) this.keys.push(String(headers['x-key']));
      void this.#answer(url, response);
    });
  }

  static async open(items: number): Promise<ItemApi> {
    const api = new ItemApi(items);
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** Holds back every page from this offset on; `reached` resolves when one is asked for, `open` lets them go. */
  hold(offset = 0): { readonly reached: Promise<void>; readonly open: () => void } {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    this.#gate = { offset, opened: opened.promise, reached: reached.resolve };
    return { reached: reached.promise, open: opened.resolve };
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    this.seen.push(path);
    const query = new URL(path, 'http://api/').searchParams;
    const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('offset') ?? 0)];
    if (this.#gate !== undefined && offset >= this.#gate.offset) {
      this.#gate.reached();
      await this.#gate.opened;
    }
    const length = Math.max(0, Math.min(limit, this.items - offset));
    const page = Array.from({ length }, (_, at) => ({ id: String(offset + at), name: `item ${offset + at}` }));
    response.writeHead(this.status, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gate = undefined;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A configuration that takes all items of such an API. */
export function itemConfiguration(
  url: string,
  { limit = 10, ...more }: Readonly<Record<string, unknown>> = {},
): object {
  return {
    parameters: {
      api: { baseUrl: url, pagination: { method: 'offset', limit }, retryConfig: { maxRetries: 1 } },
      config: { outputBucket: 'shop', jobs: [{ endpoint: 'items' }], ...more },
    },
  };
}
