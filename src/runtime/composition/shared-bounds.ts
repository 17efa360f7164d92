import { randomInt } from 'node:crypto';
import { clearTally, sharedTally, tallyParts, type SharedTally, type TallyParts } from '../../core/shared-tally.ts';
import { SharedSum } from '../../core/shared-sum.ts';

/** Addresses that are counted together at a time; of more than that each thread takes its share of what one may have. */
const mostAddresses = 8192;

/** What bounds the process, as the threads that take events count it together. It survives a message between threads. */
export interface SharedBounds {
  /** Bytes in memory. */
  readonly held: SharedArrayBuffer;
  readonly ingest: TallyParts;
  readonly otlpGrpc: TallyParts;
  /** Calls over gRPC whose message has not arrived. */
  readonly arriving: TallyParts;
}

/** The same as one of the threads sees it. */
export interface ThreadBounds {
  readonly held: SharedSum;
  readonly ingest: SharedTally;
  readonly otlpGrpc: SharedTally;
  readonly arriving: SharedTally;
}

/** `connections`: the most of each listener. */
export function sharedBounds(
  threads: number,
  connections: { readonly ingest: number; readonly otlpGrpc: number },
): SharedBounds {
  const seed = randomInt(2 ** 31);
  const tally = (most: number): TallyParts => tallyParts({ threads, names: Math.min(most, mostAddresses), seed });
  return {
    held: SharedSum.parts(threads),
    ingest: tally(connections.ingest),
    otlpGrpc: tally(connections.otlpGrpc),
    arriving: tally(connections.otlpGrpc),
  };
}

/** `own`: which of the threads sees it, from 0. */
export function boundsOfThread({ held, ingest, otlpGrpc, arriving }: SharedBounds, own: number): ThreadBounds {
  return {
    held: new SharedSum(held, own),
    ingest: sharedTally(ingest, own),
    otlpGrpc: sharedTally(otlpGrpc, own),
    arriving: sharedTally(arriving, own),
  };
}

/** Forgets what a thread has counted, which has ended, and its connections with it. */
export function clearBounds({ held, ...tallies }: SharedBounds, own: number): void {
  new SharedSum(held, own).set(0);
  for (const parts of Object.values(tallies)) clearTally(parts, own);
}
