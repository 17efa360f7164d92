import type { OutgoingEvent } from './outgoing-event.ts';
import type { Sent } from './sent.ts';

/** Called for events that had the same end, in their order. */
export type OnSent = (events: readonly OutgoingEvent[], sent: Sent) => void;

/** Sends events together; what is too large for its receiver as two halves, down to the event that is itself too large. */
export async function inHalves(
  events: readonly OutgoingEvent[],
  send: (events: readonly OutgoingEvent[]) => Promise<Sent>,
  onSent: OnSent,
): Promise<void> {
  const sent = await send(events);
  if (sent.kind !== 'refused' || !sent.isTooLarge || events.length < 2) {
    onSent(events, sent);
    return;
  }
  const middle = Math.ceil(events.length / 2);
  await inHalves(events.slice(0, middle), send, onSent);
  await inHalves(events.slice(middle), send, onSent);
}
