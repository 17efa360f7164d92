import { availableParallelism } from 'node:os';

/** Threads of each of the roles ingest, map and stage: an event costs those of one role together about half of what it costs all. */
export function usualThreads(): number {
  return Math.max(1, Math.min(8, Math.floor(availableParallelism() / 2)));
}
