import { Server } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { createTelemetry } from '../../telemetry/create-telemetry.ts';
import { createOps } from './ops-handlers.ts';
import { OpsService } from './ops-service.ts';

it('metrics and health whose listener fails are a failure of the service, and do not end the process', async () => {
  const telemetry = createTelemetry({ main: false, level: 'silent', role: 'main' });
  const ops = createOps({ telemetry, threads: () => [], hindrances: () => [] });
  await using service = new OpsService(ops, { host: '127.0.0.1', port: 0 });
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
  const port = await freePort();
  await using service = new OpsService(ops, { host: '127.0.0.1', port });
  service.run(new AbortController().signal).catch(reject);
  const answer = eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/live`)).status);
  expect(await Promise.race([answer, failed])).toBe(200);
});
