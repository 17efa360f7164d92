/** One event to send, and where it stands for messages: `orders.ndjson:12`. */
export interface OutgoingEvent {
  readonly place: string;
  readonly body: Uint8Array;
}

/** Larger than any body that ingest takes: a longer line is no event, and memory stays bounded. */
export const largestEventBytes = 16 * 1024 * 1024;
