/** The process that sends the load. It waits for one on its channel, answers with what came of it, and ends with its parent. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { Connection } from './connection.ts';
import type { HttpLoad, HttpLoadResult } from './http-load.ts';

let ending = new AbortController();
process.on('message', (message: HttpLoad | 'stop') => {
  if (message === 'stop') {
    ending.abort();
    return;
  }
  ending = new AbortController();
  // Nobody may be there any more to hear it.
  void generate(message, ending.signal).then((result) => process.send?.(result, () => undefined));
});
process.on('disconnect', () => process.exit());

interface Counted {
  readonly latencies: number[];
  failures: number;
  isCounting: boolean;
}

/** Until its time is over, or the signal is aborted. */
async function generate(load: HttpLoad, signal: AbortSignal): Promise<HttpLoadResult> {
  const counted: Counted = { latencies: [], failures: 0, isCounting: false };
  const onAnswer = (ok: boolean, startedAt: number): void => {
    if (!counted.isCounting) return;
    if (ok) counted.latencies.push(performance.now() - startedAt);
    else counted.failures += 1;
  };
  const onBreak = (): void => void (counted.failures += 1);
  const next = inTurns(load.requests);
  const { host, port } = load;
  const connections = Array.from(
    { length: load.connections },
    () => new Connection({ host, port, next }, { onAnswer, onBreak }),
  );
  await Promise.all(connections.map((connection) => connection.connected));
  const sending = new AbortController();
  // Without a warm-up not one request is missing from the count.
  counted.isCounting = load.warmUpMs === 0;
  const done = load.perSecond === undefined ? undefined : sendAtRandom(connections, load.perSecond, sending.signal);
  if (done === undefined) for (const connection of connections) connection.sendOnAndOn();
  if (load.warmUpMs > 0) await sleep(load.warmUpMs);
  counted.isCounting = true;
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  await sleep(load.durationMs, undefined, { signal }).catch(() => undefined);
  sending.abort();
  await done;
  if (load.awaitsAll === true) await Promise.all(connections.map((connection) => connection.finish()));
  const { user, system } = process.cpuUsage(usedBefore);
  const seconds = (performance.now() - began) / 1000;
  counted.isCounting = false;
  for (const connection of connections) connection.stop();
  const { latencies, failures } = counted;
  return {
    answers: latencies.length,
    perSecond: latencies.length / seconds,
    failures,
    latencyMs: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    loaderMicroseconds: user + system,
  };
}

function inTurns(requests: readonly Uint8Array[]): () => Uint8Array {
  let turn = 0;
  return () => {
    const request = requests[turn];
    if (request === undefined) throw new Error('there is no request to send');
    turn = (turn + 1) % requests.length;
    return request;
  };
}

/** Waits no longer than this without a look at what has arrived. */
const blindMs = 0.2;
/** The timers of Node are late by a millisecond and more. */
const timerMs = 2;
const idle = new Int32Array(new SharedArrayBuffer(4));

/**
 * Requests at random times, as many independent senders make them: the next one does not wait for those before. One that finds no free
 * connection waits, and its time runs. Connections take turns, so that none is idle for so long that the other side closes it. Timers
 * would send what is due within a millisecond in one bunch, and a bunch is one commit.
 */
async function sendAtRandom(connections: readonly Connection[], perSecond: number, signal: AbortSignal): Promise<void> {
  const due: number[] = [];
  let turn = 0;
  for (let next = performance.now(); !signal.aborted;) {
    const now = performance.now();
    for (; next <= now; next += gapMs(perSecond)) due.push(next);
    for (let looked = 0; looked < connections.length && due.length > 0; looked += 1) {
      const connection = connections[turn];
      turn = (turn + 1) % connections.length;
      if (connection?.isFree === true) connection.sendOnce(due.shift() ?? now);
    }
    const left = next - performance.now();
    if (left > timerMs) await sleep(left - timerMs);
    else if (left > 0) Atomics.wait(idle, 0, 0, Math.min(left, blindMs));
    await setImmediate();
  }
}

/** Of the exponential distribution: times at which nothing depends on what was before. */
function gapMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}
