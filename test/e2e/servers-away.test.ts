import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startClusterProcess } from '../support/cluster-process.ts';
import { eventually } from '../support/eventually.ts';
import { lastingPort } from '../support/free-port.ts';
import { isPostgresMissing, openPostgresForTests } from '../support/postgres.ts';
import { openPostgresProxy } from '../support/postgres-proxy.ts';

const roles = 'import';

function urlAt(port: number): string {
  return `postgres://user:password@127.0.0.1:${port}/catalog`;
}

async function expectWaiting(url: string): Promise<void> {
  await eventually(async () => expect((await fetch(`${url}/health/live`)).status).toBe(200));
  const ready = await fetch(`${url}/health/ready`);
  expect(ready.status).toBe(503);
}

describe('a process of a cluster whose servers are away', { concurrent: true }, () => {
  it('waits alive and not ready, says for what, and leaves with exit code 0 when it is told to', async () => {
    const serverPort = await lastingPort();
    await using started = await startClusterProcess({ serverPort, databaseUrl: urlAt(serverPort), roles });
    await expectWaiting(started.url);
    const ready = await (await fetch(`${started.url}/health/ready`)).text();
    expect(ready).toMatch(/waits for a server: catalog\.unavailable, catalog \(postgres\): .*connect ECONNREFUSED/);
    started.child.kill('SIGTERM');
    expect(await started.exitCode()).toBe(0);
    expect(await started.log).toMatch(/"code":"catalog\.unavailable".*process waits for a server/);
  });

  it('fails at once when the catalog refuses the password: waiting does not mend that', async () => {
    // What PostgreSQL answers to a wrong password: ErrorResponse with SQLSTATE 28P01.
    const fields = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "user"\0\0';
    const answer = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(fields)]);
    answer.writeInt32BE(answer.length - 1, 1);
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      await using started = await startClusterProcess({ serverPort: port, databaseUrl: urlAt(port), roles });
      expect(await started.exitCode()).not.toBe(0);
      expect(await started.log).toMatch(
        /catalog \(postgres\): .*the server refuses the user or the password.*\n.*`npx millrace doctor`/,
      );
    } finally {
      server.close();
    }
  });
});

describe.skipIf(await isPostgresMissing())(
  'a process of a cluster whose servers come later',
  { concurrent: true },
  () => {
    it('L5: comes up by itself, alive, and not ready for what its role still lacks', async () => {
      await using postgres = await openPostgresForTests();
      const url = new URL((await postgres.createDatabase()).reveal());
      const wayPort = await lastingPort();
      const serverPort = Number(url.port);
      url.port = String(wayPort);
      await using started = await startClusterProcess({ serverPort: wayPort, databaseUrl: url.href, roles });
      await expectWaiting(started.url);
      await using _way = await openPostgresProxy(serverPort, wayPort);
      // What listens there is no Kafka and no S3.
      await eventually(async () => {
        const { waiting } = (await (await fetch(`${started.url}/health/ready`)).json()) as {
          waiting: readonly string[];
        };
        expect(waiting).toEqual([
          expect.stringMatching(/^"log \(kafka\)" does not serve import since /),
          expect.stringMatching(/^"staging \(s3\)" does not serve import since /),
        ]);
      });
      expect((await fetch(`${started.url}/health/live`)).status).toBe(200);
      expect(await (await fetch(`${started.url}/metrics`)).text()).toContain(
        'millrace_missing_servers{server="log (kafka)"} 1',
      );
      started.child.kill('SIGTERM');
      expect(await started.exitCode()).toBe(0);
    });

    it('L5: ingest with a wrong port of Kafka is not ready, and says so in its log', async () => {
      await using postgres = await openPostgresForTests();
      const databaseUrl = (await postgres.createDatabase()).reveal();
      const serverPort = await lastingPort();
      await using started = await startClusterProcess({ serverPort, databaseUrl, roles: 'ingest' });
      const reason = /log \(kafka\)\\" does not serve ingest since .*ECONNREFUSED.*; nothing listens at that address/;
      await eventually(async () => expect(await (await fetch(`${started.url}/health/ready`)).text()).toMatch(reason));
      expect((await fetch(`${started.url}/health/live`)).status).toBe(200);
      started.child.kill('SIGTERM');
      expect(await started.exitCode()).toBe(0);
      expect(await started.log).toMatch(/"server":"log \(kafka\)".*server is missing/);
    });

    it('waits in the role admin for the log, too, and leaves when it is told to', async () => {
      await using postgres = await openPostgresForTests();
      const databaseUrl = (await postgres.createDatabase()).reveal();
      const serverPort = await lastingPort();
      await using started = await startClusterProcess({ serverPort, databaseUrl, roles: 'admin,ingest' });
      await expectWaiting(started.url);
      await eventually(async () =>
        expect(await (await fetch(`${started.url}/health/ready`)).text()).toMatch(
          /waits for a server: log\.unavailable, .*connect ECONNREFUSED/,
        ),
      );
      started.child.kill('SIGTERM');
      expect(await started.exitCode()).toBe(0);
    });
  },
);
