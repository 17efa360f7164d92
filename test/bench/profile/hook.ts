/**
 * Loaded before the product in each of its threads: profiles all of them from one SIGUSR2 to the next, and writes a file for each into
 * the folder of BENCH_PROFILE_FOLDER, then one named `done`.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId, threadName } from 'node:worker_threads';
import { samplingMicroseconds, type ProfileMessage } from './profile-messages.ts';

const folder = process.env['BENCH_PROFILE_FOLDER'] ?? '.';
const channel = new BroadcastChannel('bench-profile');
const session = new Session();
session.connect();

async function begin(): Promise<void> {
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });
  await session.post('Profiler.start');
}

async function end(): Promise<void> {
  const { profile } = await session.post('Profiler.stop');
  const name = isMainThread ? 'main' : threadName || 'thread';
  writeFileSync(join(folder, `${threadId}-${name}.cpuprofile`), JSON.stringify(profile));
}

const hear = (listener: (message: unknown) => void): void => {
  channel.addEventListener('message', (event) => listener((event as MessageEvent).data));
  channel.unref();
};
const say = (message: ProfileMessage): void => channel.postMessage(message);

if (isMainThread) {
  // This thread is one of them.
  let begun = 1;
  let written = 0;
  const wrote = (): void => {
    written += 1;
    if (written === begun) writeFileSync(join(folder, 'done'), '');
  };
  hear((data) => {
    if (data === 'begun') begun += 1;
    if (data === 'written') wrote();
  });
  let isProfiling = false;
  process.on('SIGUSR2', () => {
    say(isProfiling ? 'end' : 'begin');
    void (isProfiling ? end().then(wrote) : begin());
    isProfiling = !isProfiling;
  });
} else {
  hear((data) => {
    if (data === 'begin') void begin().then(() => say('begun'));
    if (data === 'end') void end().then(() => say('written'));
  });
}
