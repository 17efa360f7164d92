import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { endThread } from './end-thread.ts';

const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())));

/** A thread of this code, which has said something. */
async function start(code: string): Promise<Worker> {
  const imports = `import { parentPort } from 'node:worker_threads';\nimport { leaveWhenFailed, leaveWhenTold } from '${import.meta.resolve('./end-thread.ts')}';`;
  const module = new URL(`data:text/javascript,${encodeURIComponent(`${imports}\n${code}`)}`);
  const worker = new Worker(module);
  workers.push(worker);
  await once(worker, 'message');
  return worker;
}

it('L2: a thread that listens ends itself, and is not cut off inside a driver', async () => {
  const worker = await start(`
    leaveWhenTold(parentPort);
    process.on('exit', () => parentPort.postMessage('by itself'));
    parentPort.postMessage('up');`);
  const said: unknown[] = [];
  worker.on('message', (text) => said.push(text));
  await endThread(worker);
  expect(said).toEqual(['by itself']);
});

it('L2: a thread that does not listen is cut off', async () => {
  const worker = await start(`
    leaveWhenTold(parentPort);
    parentPort.postMessage('up');
    for (;;);`);
  const exit = once(worker, 'exit');
  await endThread(worker);
  expect(await exit).toEqual([1]);
});

it('L2: a thread that has ended already is no error', async () => {
  const worker = await start(`parentPort.postMessage('up');`);
  await endThread(worker);
  await endThread(worker);
});

it('L2: a thread of which nobody caught an error says so, and ends between two turns when it is told to', async () => {
  const worker = await start(`
    leaveWhenTold(parentPort);
    leaveWhenFailed(parentPort);
    parentPort.on('message', ({ kind }) => {
      if (kind === 'fail') throw new Error('a defect');
      parentPort.postMessage({ kind: 'still here' });
    });
    parentPort.postMessage('up');`);
  const said: unknown[] = [];
  worker.on('message', (message) => said.push(message));
  for (const kind of ['fail', 'look']) worker.postMessage({ kind });
  await once(worker, 'message');
  await once(worker, 'message');
  expect(said).toEqual([
    expect.objectContaining({ kind: 'failed', error: new Error('a defect') }),
    { kind: 'still here' },
  ]);
  await endThread(worker);
});
