/** A thread that floods a listener of OTLP over gRPC for as long as it is told, and counts what it could send. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { noSettings, preface } from '../../support/http2-frames.ts';
import { floodsOf, settingsKnown, type Flood } from './floods.ts';

export interface FloodOrder {
  /** Name of the flood. */
  readonly flood: string;
  readonly port: number;
  /** Of a source. */
  readonly secret: string;
  /** At a time: where one is closed the next one is opened. */
  readonly connections: number;
  readonly ms: number;
}

export interface FloodReport {
  readonly connections: number;
  readonly frames: number;
  readonly bytes: number;
}

const order = workerData as FloodOrder;
const flood = floodsOf(order.secret).find(({ name }) => name === order.flood);
if (flood === undefined) throw new Error(`no flood "${order.flood}"`);
/** Written at a time. */
const chunkBytes = 32 * 1024;
const end = performance.now() + order.ms;
let connections = 0;
let frames = 0;
let bytes = 0;

/** Floods one connection until it is closed or the time is over. */
async function floodOne({ begin, reads, acknowledges, frames: make }: Flood): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: order.port, noDelay: true });
  socket.on('error', () => undefined);
  const closed = told(socket, 'close');
  await Promise.race([told(socket, 'connect'), closed]);
  connections += 1;
  if (reads) socket.resume();
  socket.write(Buffer.concat([preface, noSettings, ...(acknowledges ? [settingsKnown] : []), ...begin]));
  for (let number = 0; !socket.destroyed && performance.now() < end;) {
    const chunk: Buffer[] = [];
    for (let size = 0; size < chunkBytes; number += 1)
      for (const one of make(number)) {
        chunk.push(one);
        size += one.length;
      }
    const whole = Buffer.concat(chunk);
    frames += chunk.length;
    bytes += whole.length;
    // Whoever does not read does not see an end either: what cannot be written says it.
    if (!socket.write(whole))
      await Promise.race([told(socket, 'drain'), closed, sleep(Math.max(0, end - performance.now()))]);
    else await sleep(0);
  }
  socket.resetAndDestroy();
  await closed;
}

/** Never rejects: a connection that breaks is closed. */
function told(socket: Socket, event: 'close' | 'connect' | 'drain'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()));
}

async function lane(one: Flood): Promise<void> {
  while (performance.now() < end) await floodOne(one);
}

await Promise.all(Array.from({ length: order.connections }, () => lane(flood)));
parentPort?.postMessage({ connections, frames, bytes } satisfies FloodReport);
