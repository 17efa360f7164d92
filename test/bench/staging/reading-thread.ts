/** The thread that reads the log, as the role `stage` has one: nothing else happens in it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { dataFolder } from '../../../src/runtime/embedded/data-folder.ts';
import { openEmbeddedPorts } from '../../../src/runtime/embedded/embedded-ports.ts';
import { samplingMicroseconds } from '../profile/profile-messages.ts';
import { dearest, speedscopeOf, type CpuProfile } from '../profile/speedscope.ts';
import { LineFiles } from './line-files.ts';
import { LogScan } from './log-scan.ts';
import { rowsOfSlice } from './outcomes.ts';
import type { Asked, Read, ReadingData } from './reading.ts';
import { Staging } from './staging.ts';

const { path, profile } = workerData as ReadingData;
const folder = dataFolder(path);
await using stack = new AsyncDisposableStack();
const ports = await openEmbeddedPorts(folder, { instance: 'stage', first: false, onBroken: () => undefined }, stack);
const scanning = stack.use(await LogScan.of(ports.sinkLog, 'scanned'));
const writing = stack.use(await LogScan.of(ports.sinkLog, 'written'));
const files = new LineFiles(join(path, 'lines'), rowsOfSlice);
const staging = stack.use(await Staging.start(ports, folder));

const works = {
  scanned: async ({ count }: Asked): Promise<void> => {
    let bytes = 0;
    await scanning.read(count, ({ value }) => {
      bytes += value.length;
    });
    if (bytes === 0) throw new Error('the scan has read nothing');
  },
  written: async ({ count }: Asked): Promise<void> => {
    await writing.read(count, ({ value }) => files.add(value));
    await files.synced();
  },
  staged: async ({ first, count }: Asked): Promise<void> => {
    staging.release();
    await staging.sealed(first + count);
  },
};

async function work(asked: Asked): Promise<Read> {
  const began = performance.now();
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  await works[asked.side](asked);
  const { user, system } = process.cpuUsage(before);
  const thread = process.threadCpuUsage(threadBefore);
  const seconds = (performance.now() - began) / 1000;
  if (asked.side === 'staged') await staging.hold();
  return { seconds, microseconds: user + system, ofThread: thread.user + thread.system };
}

const session = new Session();
if (profile !== undefined) {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
  await session.post('Profiler.start');
}

async function writeProfile(into: string): Promise<void> {
  const thread = { name: 'stage', profile: (await session.post('Profiler.stop')).profile as CpuProfile };
  await mkdir(into, { recursive: true });
  await writeFile(join(into, 'stage.speedscope.json'), JSON.stringify(speedscopeOf('stage', [thread])));
  await writeFile(join(into, 'stage.txt'), dearest(thread, 20));
}

const port = parentPort;
if (port === null) throw new Error('this is a thread');
const { promise: ended, resolve: end } = Promise.withResolvers<void>();
port.on('message', (asked: Asked | 'end') => {
  if (asked === 'end') end();
  else void work(asked).then((read) => port.postMessage(read));
});
port.postMessage('ready');
await ended;
if (profile !== undefined) await writeProfile(profile);
port.close();
