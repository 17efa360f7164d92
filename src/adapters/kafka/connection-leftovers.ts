import { kafkajsPrototype } from './kafkajs-prototype.ts';

interface Connection {
  chunks: readonly Buffer[];
  bytesBuffered: number;
  bytesNeeded: number;
  isConnected(): boolean;
}

const mended = new WeakSet();
const lengthBytes = 4;

/**
 * kafkajs 2.2.4 keeps the beginning of an answer whose socket broke, and takes the answers of the next socket for the
 * rest of it. They go to the wrong requests, or end the process with an exception that nobody can catch. Here each
 * socket begins with nothing read.
 */
export function mendConnectionLeftovers(): void {
  const prototype = kafkajsPrototype('network/connection', 'connect');
  if (prototype === undefined || mended.has(prototype)) return;
  mended.add(prototype);
  const connect: unknown = Reflect.get(prototype, 'connect');
  if (typeof connect !== 'function') return;
  Reflect.set(prototype, 'connect', function (this: Connection): unknown {
    if (!this.isConnected()) Object.assign(this, { chunks: [], bytesBuffered: 0, bytesNeeded: lengthBytes });
    return Reflect.apply(connect, this, []) as unknown;
  });
}
