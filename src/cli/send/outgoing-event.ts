/** One event to send, and where it stands for messages: `orders.ndjson:12`. */
export interface OutgoingEvent {
  readonly place: string;
  readonly body: Uint8Array;
}

/** Events that follow one another in their input. */
export interface OutgoingBatch {
  readonly events: readonly OutgoingEvent[];
  /** Of the input that was read for them, with line ends and blank lines. */
  readonly bytes: number;
}

/** Larger than any body that ingest takes: a longer line is no event, and memory stays bounded. */
export const largestEventBytes = 16 * 1024 * 1024;

/** Where the events stand: `orders.ndjson:1 to orders.ndjson:1000 (1000 events)`. */
export function placeOf(events: readonly OutgoingEvent[]): string {
  const [first, last] = [events.at(0)?.place ?? '', events.at(-1)?.place ?? ''];
  return events.length < 2 ? first : `${first} to ${last} (${events.length} events)`;
}
