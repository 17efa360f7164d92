import type { OutgoingEvent } from './outgoing-event.ts';
import { postEvent, type PostOptions, type Sent } from './post-event.ts';

export interface Tally {
  readonly accepted: number;
  readonly refused: number;
  /** Sent, but nobody knows whether they were accepted. */
  readonly unanswered: number;
  /** Why sending ended before the last event: nothing listens at the URL. */
  readonly unreachable?: string;
  /** Ended by the signal; what was under way then counts as unanswered. */
  readonly interrupted?: true;
}

export interface SendAll extends PostOptions {
  readonly events: AsyncGenerator<OutgoingEvent, void>;
  readonly concurrency: number;
  /** Called after each event. */
  readonly onSent: (event: OutgoingEvent, sent: Sent) => void;
}

/**
 * Sends events, up to `concurrency` at a time: with more than one the order of arrival is not theirs. Ends early when
 * nothing listens at the URL, since nothing after it would arrive.
 */
export async function sendAll({ events, concurrency, onSent, ...options }: SendAll): Promise<Tally> {
  const counts = { accepted: 0, refused: 0, unanswered: 0 };
  const { signal } = options;
  let unreachable: string | undefined;
  let underWay = 0;
  const lane = async (): Promise<void> => {
    while (unreachable === undefined) {
      const read = await events.next();
      if (read.done === true) return;
      const event = read.value;
      underWay += 1;
      const sent = await postEvent(event, options);
      underWay -= 1;
      if (sent.kind === 'unreachable') unreachable = sent.reason;
      else counts[sent.kind] += 1;
      onSent(event, sent);
    }
  };
  const interruption = Promise.withResolvers<'interrupted'>();
  signal.addEventListener('abort', () => interruption.resolve('interrupted'), { once: true });
  if (signal.aborted) interruption.resolve('interrupted');
  const lanes = Promise.all(Array.from({ length: concurrency }, lane));
  // Of two ends the first counts; what fails because of the signal is no failure.
  const end = await Promise.race([interruption.promise, lanes]).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown;
    return 'interrupted' as const;
  });
  lanes.catch(() => undefined);
  if (end === 'interrupted') return { ...counts, unanswered: counts.unanswered + underWay, interrupted: true };
  return unreachable === undefined ? counts : { ...counts, unreachable };
}
