import type { OutgoingBatch, OutgoingEvent } from './outgoing-event.ts';
import type { OnSent } from './in-halves.ts';

export interface Tally {
  readonly accepted: number;
  readonly refused: number;
  /** Sent, but nobody knows whether they were accepted. */
  readonly unanswered: number;
  /** Why sending ended before the last event: nothing takes events where they are sent. */
  readonly unreachable?: string;
  /** Ended by the signal; what was under way then counts as unanswered. */
  readonly interrupted?: true;
}

export interface SendEnd {
  readonly tally: Tally;
  /** Why sending ended before the last event: the input cannot be read on. */
  readonly failure?: unknown;
}

export interface SendAll {
  /** Sends the events of a batch, and tells what became of each of them. */
  readonly send: (events: readonly OutgoingEvent[], onSent: OnSent) => Promise<void>;
  readonly signal: AbortSignal;
  readonly batches: AsyncGenerator<OutgoingBatch, void>;
  readonly concurrency: number;
  /** Called for events that had the same end. */
  readonly onSent: OnSent;
  /** Called after each batch with what it took of the input. */
  readonly onBatch: (bytes: number) => void;
}

/**
 * Sends batches, up to `concurrency` at a time: with more than one the order of arrival is not theirs. Ends early when
 * nothing takes events there, since nothing after it would arrive.
 */
export async function sendAll({ batches, concurrency, ...options }: SendAll): Promise<SendEnd> {
  const counts = { accepted: 0, refused: 0, unanswered: 0 };
  const { signal, send, onBatch } = options;
  const end: { unreachable?: string; failure?: unknown } = {};
  let underWay = 0;
  const onSent: OnSent = (events, sent) => {
    underWay -= events.length;
    if (sent.kind === 'unreachable') end.unreachable ??= sent.reason;
    else counts[sent.kind] += events.length;
    options.onSent(events, sent);
  };
  const isOver = (): boolean => end.unreachable !== undefined || 'failure' in end;
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const read = await batches.next();
      if (read.done === true) return;
      const { events, bytes } = read.value;
      underWay += events.length;
      await send(events, onSent);
      onBatch(bytes);
    }
  };
  // What fails because of the signal is no failure. The other lanes end what they have begun.
  const guarded = (): Promise<void> =>
    lane().catch((thrown: unknown) => {
      if (!signal.aborted) end.failure ??= thrown;
    });
  const interruption = Promise.withResolvers<'interrupted'>();
  signal.addEventListener('abort', () => interruption.resolve('interrupted'), { once: true });
  if (signal.aborted) interruption.resolve('interrupted');
  const lanes = Promise.all(Array.from({ length: concurrency }, guarded));
  // Of two ends the first counts.
  const how = await Promise.race([interruption.promise, lanes]);
  const tally = { ...counts, unanswered: counts.unanswered + underWay };
  if (how === 'interrupted' || signal.aborted) return { tally: { ...tally, interrupted: true } };
  const { unreachable, ...failed } = end;
  return { tally: unreachable === undefined ? tally : { ...tally, unreachable }, ...failed };
}
