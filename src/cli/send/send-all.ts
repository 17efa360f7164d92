import type { OutgoingBatch, OutgoingEvent } from './outgoing-event.ts';
import { postBatch, type PostBatch } from './post-batch.ts';
import type { Sent } from './post-body.ts';

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

export interface SendAll extends Omit<PostBatch, 'onSent'> {
  readonly batches: AsyncGenerator<OutgoingBatch, void>;
  readonly concurrency: number;
  /** Called for events that had the same end. */
  readonly onSent: (events: readonly OutgoingEvent[], sent: Sent) => void;
  /** Called after each batch with what it took of the input. */
  readonly onBatch: (bytes: number) => void;
}

/**
 * Sends batches, up to `concurrency` at a time: with more than one the order of arrival is not theirs. Ends early when
 * nothing listens at the URL, since nothing after it would arrive.
 */
export async function sendAll({ batches, concurrency, onBatch, ...options }: SendAll): Promise<Tally> {
  const counts = { accepted: 0, refused: 0, unanswered: 0 };
  const { signal } = options;
  const end: { unreachable?: string } = {};
  let underWay = 0;
  const onSent: PostBatch['onSent'] = (events, sent) => {
    underWay -= events.length;
    if (sent.kind === 'unreachable') end.unreachable ??= sent.reason;
    else counts[sent.kind] += events.length;
    options.onSent(events, sent);
  };
  const lane = async (): Promise<void> => {
    while (end.unreachable === undefined) {
      const read = await batches.next();
      if (read.done === true) return;
      const { events, bytes } = read.value;
      underWay += events.length;
      await postBatch(events, { ...options, onSent });
      onBatch(bytes);
    }
  };
  const interruption = Promise.withResolvers<'interrupted'>();
  signal.addEventListener('abort', () => interruption.resolve('interrupted'), { once: true });
  if (signal.aborted) interruption.resolve('interrupted');
  const lanes = Promise.all(Array.from({ length: concurrency }, lane));
  // Of two ends the first counts; what fails because of the signal is no failure.
  const how = await Promise.race([interruption.promise, lanes]).catch((thrown: unknown) => {
    if (!signal.aborted) throw thrown;
    return 'interrupted' as const;
  });
  lanes.catch(() => undefined);
  if (how === 'interrupted') return { ...counts, unanswered: counts.unanswered + underWay, interrupted: true };
  return { ...counts, ...end };
}
