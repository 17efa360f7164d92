import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { Mailbox } from './mailbox.ts';
import type { ToThread } from './thread-messages.ts';

it('what comes before somebody hears is heard first, in order, and then what comes', async () => {
  const { port1: here, port2: there } = new MessageChannel();
  using mailbox = new Mailbox(there);
  const sent: readonly ToThread[] = [
    { kind: 'hinder', hindrances: { isDiskFull: true, ofTopics: new Map() } },
    { kind: 'metrics', id: 1 },
    { kind: 'drain' },
  ];
  const heard: ToThread[] = [];
  here.postMessage(sent[0]);
  here.postMessage(sent[1]);
  await new Promise((resolve) => there.once('message', resolve));
  mailbox.open((message) => void heard.push(message));
  here.postMessage(sent[2]);
  await expect.poll(() => heard).toEqual(sent);
  here.close();
});
