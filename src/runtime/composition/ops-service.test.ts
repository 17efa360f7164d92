import { Server } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { lastingPort } from '../../../test/support/free-port.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { createOps } from './ops-handlers.ts';
import { OpsService } from './ops-service.ts';

it('metrics and health whose listener fails are a failure of the service, and do not end the process', async () => {
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  const ops = createOps({ telemetry, threads: () => [], hindrances: () => [] });
  await using service = new OpsService(ops, { host: '127.0.0.1', port: 0, maxConnections: 100 });
  await service.start();
  const running = service.run(new AbortController().signal);
  const port = service.address()?.port;
  const handles = (process as typeof process & { _getActiveHandles(): readonly unknown[] })._getActiveHandles();
  const server = handles.find((one) => one instanceof Server && JSON.stringify(one.address()).includes(`:${port}`));
  // What the operating system does when a connection cannot be taken.
  (server as Server).emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }));
  await expect(running).rejects.toThrow('accept ENOBUFS');
});

it('metrics and health that are made anew after a failure listen again, at the same place', async () => {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  const ops = createOps({ telemetry, threads: () => [], hindrances: () => [] });
  const port = await lastingPort();
  await using service = new OpsService(ops, { host: '127.0.0.1', port, maxConnections: 100 });
  service.run(new AbortController().signal).catch(reject);
  const answer = eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).status);
  expect(await Promise.race([answer, failed])).toBe(200);
});

it('metrics and health are not shown to a page of a stranger whose name was made to lead to this machine', async () => {
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  const ops = createOps({ telemetry, threads: () => [], hindrances: () => [], publicUrl: 'https://millrace.test' });
  await using service = new OpsService(ops, { host: '127.0.0.1', port: 0, maxConnections: 100 });
  await service.start();
  const port = service.address()?.port ?? 0;
  const statusFor = async (host: string): Promise<number | undefined> => {
    using client = await RawClient.connect(port);
    await client.send(`GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return (await client.answer())?.status;
  };
  for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '[::1]:80', 'a.localhost', 'millrace.test:443'])
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  for (const host of ['evil.test', `evil.test:${port}`, 'localhost.evil.test', 'a b'])
    expect([host, await statusFor(host)]).toEqual([host, 403]);
});

it('D8: metrics and health take no more connections than they may', async () => {
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  const ops = createOps({ telemetry, threads: () => [], hindrances: () => [] });
  await using service = new OpsService(ops, { host: '127.0.0.1', port: 0, maxConnections: 2 });
  await service.start();
  const port = service.address()?.port ?? 0;
  const status = async (client: RawClient): Promise<number | undefined> => {
    await client.send('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n').catch(() => undefined);
    return (await client.answer().catch(() => undefined))?.status;
  };
  using first = await RawClient.connect(port);
  using second = await RawClient.connect(port);
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  using third = await RawClient.connect(port);
  expect(await status(third)).toBeUndefined();
});
