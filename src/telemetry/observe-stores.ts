import type { Telemetry } from './telemetry.ts';

export type StoreName = 'catalog' | 'tables' | 'staging';

/** What is told of calls of a store; quick, and never throws. */
export interface StoreObserver {
  /** A call has ended, well or not. */
  answered(operation: string, ms: number): void;
}

/** Measures the calls of a store. */
export function observeStore({ metrics }: Telemetry, store: StoreName): StoreObserver {
  const durations = metrics.histogram('millrace_store_duration_seconds');
  return { answered: (operation, ms) => durations.observe({ store, operation }, ms / 1000) };
}
