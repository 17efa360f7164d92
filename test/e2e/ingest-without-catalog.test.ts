import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { isPostgresMissing, openPostgresForTests } from '../support/postgres.ts';
import { startProcess, type ProductProcess } from '../support/process.ts';

interface Way extends AsyncDisposable {
  readonly url: string;
  /** Breaks all connections, and refuses further ones. */
  cut(): void;
}

/** A way to a database that can be cut. */
async function wayTo(databaseUrl: string): Promise<Way> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, cut, [Symbol.asyncDispose]: async () => cut() };
}

async function startAt(folder: string, catalogUrl: string, role: string): Promise<ProductProcess> {
  const topology = join(folder, 'topology.json');
  const nowhere = '127.0.0.1:9';
  await writeFile(
    topology,
    JSON.stringify({
      kind: 'cluster',
      log: { kind: 'kafka', brokers: [nowhere] },
      staging: {
        kind: 's3',
        bucket: 'staging',
        endpoint: `http://${nowhere}`,
        credentials: { accessKeyId: 'x', secretAccessKey: { env: 'S3_SECRET' } },
      },
      catalog: { kind: 'postgres', url: { env: 'CATALOG_URL' } },
      tables: { kind: 'postgres', url: { env: 'CATALOG_URL' } },
    }),
  );
  return startProcess({
    args: ['--topology', topology, '--role', role],
    endsWithParent: true,
    env: {
      CATALOG_URL: catalogUrl,
      S3_SECRET: 'x',
      MILLRACE_DATA_DIR: join(folder, role),
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_OPS_PORT: '0',
    },
  });
}

describe.skipIf(await isPostgresMissing())('a catalog that goes away', () => {
  it('is nothing that ingest waits for, which goes on with what it knows; another role is not ready, and says why', async () => {
    await using postgres = await openPostgresForTests();
    await using way = await wayTo((await postgres.createDatabase()).reveal());
    const folder = await mkdtemp(join(tmpdir(), 'millrace-catalog-away-'));
    const processes: ProductProcess[] = [];
    try {
      for (const role of ['ingest', 'import']) processes.push(await startAt(folder, way.url, role));
      const [ingest, imports] = processes;
      const ready = async (place: ProductProcess | undefined) => fetch(`${place?.ops}/health/ready`);
      way.cut();
      await eventually(async () =>
        expect(await (await ready(imports)).text()).toMatch(/\\"configuration\\" failed .*: .*ECONNREFUSED/),
      );
      await eventually(() => expect(ingest?.stderr()).toMatch(/"service":"configuration".*ECONNREFUSED/));
      // Its log is nowhere: that is all that it waits for.
      const { waiting } = (await (await ready(ingest)).json()) as { readonly waiting: readonly string[] };
      expect(waiting).toEqual([expect.stringMatching(/^"log \(kafka\)" does not serve ingest since /)]);
    } finally {
      for (const each of processes) each.kill('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
      await rm(folder, { recursive: true });
    }
  });
});
