import type { OutgoingBatch, OutgoingEvent } from './outgoing-event.ts';

export interface BatchLimits {
  readonly events: number;
  /** Of the bodies; one that is larger goes alone. */
  readonly bytes: number;
}

/** The batch as batches within the limits, in order; the bytes of the input are shared out among them, none twice. */
export function* cutBatch({ events, bytes }: OutgoingBatch, limits: BatchLimits): Generator<OutgoingBatch, void> {
  let taken: OutgoingEvent[] = [];
  let held = 0;
  let left = bytes;
  for (const event of events) {
    if (taken.length === limits.events || (taken.length > 0 && held + event.body.length > limits.bytes)) {
      const share = Math.min(held + taken.length, left);
      yield { events: taken, bytes: share };
      left -= share;
      taken = [];
      held = 0;
    }
    taken.push(event);
    held += event.body.length;
  }
  if (taken.length > 0) yield { events: taken, bytes: left };
}
