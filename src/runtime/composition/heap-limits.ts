import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { ThreadSpec } from './thread-messages.ts';

/** Megabytes of a heap, as a `Worker` takes them. */
export interface HeapLimits {
  readonly maxYoungGenerationSizeMb: number;
  readonly maxOldGenerationSizeMb: number;
}

const megabyte = 1024 * 1024;

/**
 * Where a heap may have two gigabytes, V8 lets it grow to four times what is alive before it collects; below, to less than twice. What a
 * thread holds besides what it needs is then less than what it needs.
 */
const belowTwice = 2000;

/**
 * The young generation is three times a half of it. The short-lived objects of a request die before a small one is full; a larger one would
 * only take memory. With a backlog a thread that maps holds a batch for so long that much of a small one would grow old.
 */
const young = { ordinary: 24, map: 48, stage: 12 };

const limitsOfRoles: Readonly<Record<ThreadSpec['role'], HeapLimits>> = {
  ingest: { maxYoungGenerationSizeMb: young.ordinary, maxOldGenerationSizeMb: belowTwice },
  map: { maxYoungGenerationSizeMb: young.map, maxOldGenerationSizeMb: belowTwice },
  stage: { maxYoungGenerationSizeMb: young.stage, maxOldGenerationSizeMb: belowTwice },
  // A job makes garbage page by page: room for the largest pages of several jobs.
  work: { maxYoungGenerationSizeMb: young.ordinary, maxOldGenerationSizeMb: 1536 },
};

/** What the heap of a thread of the role may take: no more than V8 gives this process on the machine, unless the role runs jobs. */
export function heapLimitsOf(role: ThreadSpec['role'], usualBytes = getHeapStatistics().heap_size_limit): HeapLimits {
  const { maxOldGenerationSizeMb: old, ...rest } = limitsOfRoles[role];
  const usual = role === 'work' ? old : Math.floor(usualBytes / megabyte);
  return { ...rest, maxOldGenerationSizeMb: Math.min(old, usual) };
}

/**
 * Has to be called before the first thread. The option `--max-semi-space-size`, with which the process is started for its main thread,
 * would go before the limits of the others.
 */
export function letThreadsDiffer(): void {
  setFlagsFromString('--max-semi-space-size=0');
}
