/**
 * A part of a process with a life of its own. `run` settles when the service has ended: resolved after an abort or a
 * drain, rejected when it failed (the supervisor decides by `retryable` whether it starts again).
 */
export interface Service extends AsyncDisposable {
  readonly id: string;
  /** Resolves when the service does what it is for; absent when it does from the start of `run`. */
  readonly ready?: Promise<void>;
  /** How many rounds its loop has made; one that has nothing to do makes about one a second. Absent: it has no such loop. */
  readonly rounds?: number;
  /** Called at most once. An abort means: leave now, finish nothing. */
  run(signal: AbortSignal): Promise<void>;
  /** Refuse new work, finish what was accepted, then let `run` resolve. Idempotent. */
  drain(): Promise<void>;
}
