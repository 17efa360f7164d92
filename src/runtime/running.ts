import type { MillraceError } from '../core/millrace-error.ts';
import type { Config } from '../config/config.ts';
import type { ClusterTopology } from '../config/topology/topology.ts';
import type { Composed, Listeners } from './composition/compose.ts';

/** A product, or some roles of one, that runs in this process. */
export interface Running {
  /** Base URLs, as the process listens. */
  readonly listeners: Listeners;
  /** The root token, when it was made by this start: the only time that it is shown. */
  readonly rootTokenShown?: string;
  /** Resolves, once senders are refused, when the process must end because of what nothing in it can mend: do not `stop` then. */
  readonly failed: Promise<MillraceError>;
  /** Drains, within the drain timeout, and closes everything. Idempotent. What fails by itself is started again until then. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config: Config;
  /** Absent: everything in this process, on its data folder. */
  readonly topology?: { readonly value: ClusterTopology; readonly path: string; readonly text: string };
  /** Ends the waiting for servers that are away; nothing else of a start. */
  readonly signal?: AbortSignal;
}

/** Resolves when the product is ready. Rejects, with nothing left open, when it cannot start. */
export type StartProduct = (options: StartOptions) => Promise<Running>;

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
