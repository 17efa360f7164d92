import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const mended = new WeakSet<RequestQueue>();

/**
 * After every answer kafkajs 2.2.4 sets a timer for requests that wait, also when none does, and then with a time far below
 * zero, of which Node warns. Here the timer is set when there is something to wait for.
 */
export function mendRequestQueues(): void {
  const queue = prototypeOfQueues();
  if (queue === undefined || mended.has(queue)) return;
  mended.add(queue);
  const schedule: unknown = Reflect.get(queue, 'scheduleCheckPendingRequests');
  if (typeof schedule !== 'function') return;
  queue.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) Reflect.apply(schedule, this, []);
  };
}

/** Undefined in a release of kafkajs that has it elsewhere; then the warning comes back and nothing else. */
function prototypeOfQueues(): RequestQueue | undefined {
  try {
    const loaded: unknown = createRequire(import.meta.url)('kafkajs/src/network/requestQueue');
    return typeof loaded === 'function' && isQueue(loaded.prototype) ? loaded.prototype : undefined;
  } catch {
    return undefined;
  }
}

function isQueue(prototype: unknown): prototype is RequestQueue {
  return typeof prototype === 'object' && prototype !== null && 'scheduleCheckPendingRequests' in prototype;
}
