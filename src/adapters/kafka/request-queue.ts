import { kafkajsPrototype } from './kafkajs-prototype.ts';

interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const mended = new WeakSet<RequestQueue>();

/**
 * After every answer kafkajs 2.2.4 sets a timer for waiting requests, even when none waits; the time is then far below
 * zero, and Node warns. Here the timer is set when there is something to wait for.
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

/** Without it, in another release, the warning comes back and nothing else. */
function prototypeOfQueues(): RequestQueue | undefined {
  const prototype = kafkajsPrototype('network/requestQueue', 'scheduleCheckPendingRequests');
  return prototype !== undefined && isQueue(prototype) ? prototype : undefined;
}

function isQueue(prototype: object): prototype is RequestQueue {
  return 'scheduleCheckPendingRequests' in prototype;
}
