import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { rootToken } from '../support/installation.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-away-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly ops: string;
  readonly log: Promise<string>;
}

/** A process of a cluster whose servers are all at a port where nothing, or something else, listens. */
async function startAt(serverPort: number, catalogPort = serverPort): Promise<Started> {
  const topology = join(folder, 'topology.json');
  const catalogUrl = `postgres://user:password@127.0.0.1:${catalogPort}/catalog`;
  await writeFile(
    topology,
    JSON.stringify({
      kind: 'cluster',
      log: { kind: 'kafka', brokers: [`127.0.0.1:${serverPort}`], topics: { replication: 1 } },
      staging: { kind: 's3', bucket: 'staging', endpoint: `http://127.0.0.1:${serverPort}` },
      catalog: { kind: 'postgres', url: { env: 'CATALOG_URL' } },
      tables: { kind: 'postgres', url: { env: 'CATALOG_URL' } },
    }),
  );
  const opsPort = await freePort();
  const started = spawn(process.execPath, [main, 'start', '--topology', topology, '--role', 'import'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      CATALOG_URL: catalogUrl,
      MILLRACE_DATA_DIR: join(folder, 'data'),
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_OPS_PORT: String(opsPort),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child = started;
  return { child: started, ops: `http://127.0.0.1:${opsPort}`, log: text(started.stderr) };
}

async function exitCode(started: ChildProcess): Promise<number | null> {
  if (started.exitCode !== null) return started.exitCode;
  const [code] = (await once(started, 'exit')) as [number | null];
  return code;
}

describe('a process of a cluster whose servers are away', () => {
  it('waits alive and not ready, says for what, and leaves with exit code 0 when it is told to', async () => {
    const { child: started, ops, log } = await startAt(await freePort());
    await eventually(async () => expect((await fetch(`${ops}/health/live`)).status).toBe(200), { withinMs: 30_000 });
    const ready = await fetch(`${ops}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toMatch(/waits for a server: catalog \(postgres\): .*connect ECONNREFUSED/);
    started.kill('SIGTERM');
    expect(await exitCode(started)).toBe(0);
    expect(await log).toMatch(/"code":"catalog\.unavailable".*process waits for a server/);
  }, 60_000);

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
      const { child: started, log } = await startAt(await freePort(), port);
      expect(await exitCode(started)).not.toBe(0);
      expect(await log).toMatch(
        /catalog \(postgres\): .*the server refuses the user or the password.*\n.*`millrace doctor`/,
      );
    } finally {
      server.close();
    }
  }, 60_000);
});
