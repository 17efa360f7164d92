import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { startOtlpGrpc } from '../../../../test/support/otlp-grpc-harness.ts';

const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())));

/** A thread that listens as that of gRPC does, and a connection to it. It ends by itself when it is told anything. */
const code = `
  import { once } from 'node:events';
  import { createServer } from 'node:net';
  import { parentPort } from 'node:worker_threads';
  import { closeAtExit } from '${import.meta.resolve('./close-at-exit.ts')}';
  const sockets = new Set();
  const ended = Promise.withResolvers();
  const server = createServer((socket) => sockets.add(socket));
  closeAtExit({ sockets, ended: ended.promise });
  process.on('exit', () => parentPort.postMessage([...sockets].map(({ destroyed }) => destroyed)));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  await once(server, 'connection');
  parentPort.on('message', (what) => {
    if (what === 'fail') throw new Error('a defect');
    else process.exit(1);
  });
  parentPort.postMessage('connected');`;

it.each(['fail', 'leave'])(
  'L2: a thread that ends closes its connections over gRPC before Node reads from them again: %s',
  async (what) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    workers.push(worker);
    worker.on('error', () => undefined);
    const [port] = (await once(worker, 'message')) as [number];
    const peer = connect(port, '127.0.0.1');
    peer.on('error', () => undefined);
    await once(worker, 'message');
    // Not `once`, which rejects when the thread fails.
    const said = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage(what);
    expect(await said).toEqual([true]);
    peer.destroy();
  },
);

it('L2: those of a listener that has ended are forgotten, those of one that takes calls are closed', async () => {
  const before = new Set(process.listeners('exit'));
  const added = () => process.listeners('exit').filter((listener) => !before.has(listener));
  {
    await using grpc = await startOtlpGrpc();
    const peer = connect(grpc.port, '127.0.0.1');
    await once(peer, 'connect');
    peer.resume();
    expect((await grpc.send('logs', Buffer.of())).code).toBe(0);
    const closed = once(peer, 'close');
    expect(added()).toHaveLength(1);
    for (const listener of added()) listener(1);
    await closed;
  }
  expect(added()).toEqual([]);
});
