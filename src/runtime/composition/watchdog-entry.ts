import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** What the watchdog is told at its start; see `Watchdog`. */
export interface WatchdogData {
  readonly turns: Int32Array;
  readonly lookMs: number;
  readonly silentMs: number;
}

const { turns, lookMs, silentMs } = workerData as WatchdogData;
const never = new Int32Array(new SharedArrayBuffer(4));
let seen = Atomics.load(turns, 0);
let silent = 0;

// Looks are counted and no clock is read: while the whole process stands still, the watchdog does, too.
for (;;) {
  Atomics.wait(never, 0, 0, lookMs);
  const now = Atomics.load(turns, 0);
  silent = now === seen ? silent + lookMs : 0;
  seen = now;
  if (silent >= silentMs) end();
}

function end(): void {
  const reason = `the main thread gave no sign of life for ${silent / 1000} seconds`;
  const time = new Date().toISOString();
  writeSync(
    2,
    `${JSON.stringify({ level: 'error', time, role: 'watchdog', code: 'thread.hung', reason, msg: 'process ends' })}\n`,
  );
  process.kill(process.pid, 'SIGKILL');
}
