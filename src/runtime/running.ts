import type { Composed } from './composition/compose.ts';
import type { Running } from './product.ts';

export interface RunningOptions {
  /** What is closed when the product has drained; `composed` is part of it. */
  readonly stack: AsyncDisposableStack;
  readonly drainTimeoutMs: number;
  readonly rootTokenShown?: string;
}

/** What was composed, as its starter sees it. */
export function runningOf(composed: Composed, { stack, drainTimeoutMs, ...shown }: RunningOptions): Running {
  const stop = async (): Promise<void> => {
    await composed.drain('asked to stop', drainTimeoutMs);
    await stack.disposeAsync();
  };
  let stopped: Promise<void> | undefined;
  const { listeners, failed } = composed;
  return { listeners, failed, ...shown, stop: () => (stopped ??= stop()) };
}
