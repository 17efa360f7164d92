import { expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { pulseLimits } from './pulse.ts';
import { boundsOfThread, clearBounds, sharedBounds } from './shared-bounds.ts';
import { ThreadService } from './thread-service.ts';

it('D8: what a thread had counted of what bounds the process is forgotten when it has ended', async () => {
  const bounds = sharedBounds(2, { ingest: 100, otlpGrpc: 100 });
  const [ending, other] = [boundsOfThread(bounds, 0), boundsOfThread(bounds, 1)];
  ending.held.set(7);
  ending.ingest.all.set(3);
  ending.ingest.byName.set('10.0.0.1', 3);
  other.ingest.all.set(2);
  const seen = () => [other.held.others, other.ingest.all.others, other.ingest.byName.others('10.0.0.1')];
  expect(seen()).toEqual([7, 3, 3]);
  const { logLevel, templates, quick } = parseConfig({}, '/');
  const platform = { kind: 'embedded', dataDir: '/nowhere' } as const;
  await using service = new ThreadService(
    { role: 'ingest', thread: 'ingest', instance: 'ingest', platform, logLevel, templates, quick },
    {
      entry: new URL('data:text/javascript,throw new Error("it dies as it starts")'),
      pulse: pulseLimits,
      onBroken: () => expect.fail('a thread that dies is replaced'),
      onEnded: () => clearBounds(bounds, 0),
    },
  );
  await expect(service.run(new AbortController().signal)).rejects.toThrow('it dies as it starts');
  expect(seen()).toEqual([0, 0, 0]);
  // What the others have stays.
  expect(ending.ingest.all.others).toBe(2);
});

it('L2: a thread that says that it failed is told to leave, and its service fails with what it said', async () => {
  const { logLevel, templates, quick } = parseConfig({}, '/');
  const platform = { kind: 'embedded', dataDir: '/nowhere' } as const;
  const entry = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ kind }) => {
      if (kind !== 'leave') return;
      new BroadcastChannel('thread-service.test').postMessage('left');
      setImmediate(() => process.exit(0));
    });
    parentPort.postMessage({ kind: 'failed', error: new Error('a defect'), code: 'log.unavailable' });`;
  const channel = new BroadcastChannel('thread-service.test');
  const left = new Promise((resolve) => {
    channel.addEventListener('message', resolve, { once: true });
  });
  await using service = new ThreadService(
    { role: 'ingest', thread: 'ingest', instance: 'ingest', platform, logLevel, templates, quick },
    {
      entry: new URL(`data:text/javascript,${encodeURIComponent(entry)}`),
      pulse: pulseLimits,
      onBroken: () => expect.fail('a thread that fails is replaced'),
    },
  );
  await expect(service.run(new AbortController().signal)).rejects.toMatchObject({
    code: 'log.unavailable',
    message: 'a defect',
  });
  await left;
  channel.close();
});

it('L2: a thread that is given up has failed until it has ended, whatever it still says of itself', async () => {
  const { logLevel, templates, quick } = parseConfig({}, '/');
  const platform = { kind: 'embedded', dataDir: '/nowhere' } as const;
  const entry = `
    import { parentPort } from 'node:worker_threads';
    const channel = new BroadcastChannel('given-up.test');
    parentPort.on('message', ({ kind }) => {
      if (kind === 'leave') parentPort.postMessage({ kind: 'beat', failures: [], isPausing: false });
      if (kind === 'leave') parentPort.postMessage({ kind: 'ready' });
    });
    channel.onmessage = () => process.exit(1);
    parentPort.postMessage({ kind: 'failed', error: new Error('a defect') });`;
  await using service = new ThreadService(
    { role: 'map', thread: 'map', instance: 'map', platform, logLevel, templates, quick },
    {
      entry: new URL(`data:text/javascript,${encodeURIComponent(entry)}`),
      pulse: pulseLimits,
      onBroken: () => expect.fail('a thread that fails is replaced'),
    },
  );
  const run = service.run(new AbortController().signal);
  await service.ready;
  expect(service.failures).toEqual(['a defect']);
  const channel = new BroadcastChannel('given-up.test');
  channel.postMessage('end');
  await expect(run).rejects.toThrow('a defect');
  channel.close();
});
