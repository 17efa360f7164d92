import { BroadcastChannel } from 'node:worker_threads';
import { runThread } from '../../src/runtime/composition/thread.ts';
import { failListenerAt } from './fail-listener-at.ts';

/** A role thread whose listener fails when its port is called on the channel `fail-listener`. */
const channel = new BroadcastChannel('fail-listener');
channel.unref();
channel.addEventListener('message', (event: unknown) => {
  failListenerAt((event as { readonly data: number }).data);
});
await runThread();
