import type { MillraceError } from '../../core/millrace-error.ts';
import type { OnSent } from './in-halves.ts';
import type { OutgoingEvent } from './outgoing-event.ts';
import type { Sent } from './sent.ts';

/** Told while events are sent. */
export interface SendHooks {
  readonly onSent: OnSent;
  /** Called when something is about to wait, before it is sent again. */
  readonly onWait: (sent: Sent) => void;
}

/** Where events go. */
export interface Target extends AsyncDisposable {
  /** Events that go together at most. */
  readonly batchEvents: number;
  /** What is wrong when nothing takes events there. */
  unreachable(reason: string): MillraceError;
  /** Sends the events of a batch, and tells what became of each of them. Rejects only when the command is interrupted. */
  send(events: readonly OutgoingEvent[], hooks: SendHooks): Promise<void>;
}

/** How often something is sent at most. */
export const tries = 8;
