import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with the part of a registry's API that reads schemas; what it has is what a test gives it. */
export interface SmallRegistry extends AsyncDisposable {
  readonly url: string;
  readonly schemas: Map<number, { readonly schemaType?: string; readonly schema: string }>;
  /** Answers 503 while it is set. */
  isAway: boolean;
  /** Ids that were asked for, in order. */
  readonly asked: number[];
}

export async function openSmallRegistry(): Promise<SmallRegistry> {
  const schemas: SmallRegistry['schemas'] = new Map();
  const asked: number[] = [];
  const server = createServer((request, response) => {
    const id = Number(/^\/schemas\/ids\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    if (!Number.isNaN(id)) asked.push(id);
    const found = schemas.get(id);
    const [status, answer] = registry.isAway
      ? [503, { error_code: 503 }]
      : found === undefined
        ? [404, { error_code: 40_403, message: 'Schema not found' }]
        : [200, found];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const registry: SmallRegistry = {
    url: `http://127.0.0.1:${port}`,
    schemas,
    isAway: false,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return registry;
}

/** A value as Confluent's serializers write it. */
export function namedValue(schemaId: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(schemaId, 1);
  return Buffer.concat([header, payload]);
}
