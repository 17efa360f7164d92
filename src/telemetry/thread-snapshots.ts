import type { KnownNames } from './labels.ts';
import { isThere } from './give-back-names.ts';
import { foldMetrics, type MetricsSnapshot } from './metrics-snapshot.ts';

/** A thread that tells its metrics. */
export interface MetricsThread {
  /** The same for one that takes the place of another. */
  readonly id: string;
  /** Undefined when it does not answer in time. */
  metrics(signal: AbortSignal): Promise<MetricsSnapshot | undefined>;
}

export interface Asking {
  readonly signal: AbortSignal;
  /** Which sources and sinks there are; absent: nobody has looked yet. */
  readonly known?: (() => KnownNames) | undefined;
}

interface Kept {
  thread: MetricsThread;
  /** What its predecessors had counted. */
  before: MetricsSnapshot;
  latest: MetricsSnapshot;
}

/**
 * The metrics of the threads of a process, as they were told. What threads count is summed up, so a thread that is replaced, or does not
 * answer in time, would make the sum fall: whoever reads it takes that for a counter that began anew, and counts all others twice. What was
 * counted stays therefore, by the last answer of the thread.
 */
export class ThreadSnapshots {
  readonly #kept = new Map<string, Kept>();

  /** Those of the threads that there are now, and what their predecessors had counted. */
  async take(threads: readonly MetricsThread[], asking: Asking): Promise<readonly MetricsSnapshot[]> {
    const told = await Promise.all(threads.map((thread) => this.#ask(thread, asking)));
    return told.flat();
  }

  async #ask(thread: MetricsThread, { signal, known }: Asking): Promise<readonly MetricsSnapshot[]> {
    const answer = await thread.metrics(signal);
    const kept = this.#keptOf(thread, known);
    if (answer !== undefined) kept.latest = answer;
    return [answer ?? kept.latest.filter(isCounted), kept.before];
  }

  #keptOf(thread: MetricsThread, known: Asking['known']): Kept {
    const kept = this.#kept.get(thread.id) ?? { thread, before: [], latest: [] };
    this.#kept.set(thread.id, kept);
    if (kept.thread === thread) return kept;
    const before = foldMetrics([kept.before, kept.latest.filter(isCounted)]);
    kept.before = known === undefined ? before : ofThose(before, known());
    kept.latest = [];
    kept.thread = thread;
    return kept;
  }
}

const gauge: unknown = 'gauge';

/** What only grows; a gauge ends with its thread. */
function isCounted({ type }: MetricsSnapshot[number]): boolean {
  return type !== gauge;
}

/** Without what was counted of sources and sinks that are there no more. */
function ofThose(snapshot: MetricsSnapshot, known: KnownNames): MetricsSnapshot {
  return snapshot.map((metric) => ({
    ...metric,
    values: metric.values.filter(({ labels }) => isThere(labels, known)),
  }));
}
