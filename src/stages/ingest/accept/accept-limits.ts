/** What bounds the taking of events, whatever they come over (D8). */
export interface AcceptLimits {
  /** From the last byte of a request to its answer, whatever the log does. */
  readonly appendTimeoutMs: number;
  /** Bytes of requests that are being received or are not yet in the log; past it requests are refused for a while. */
  readonly maxBufferedBytes: number;
  /** How long a drain waits for requests that are still arriving. */
  readonly drainBodyMs: number;
}

export const acceptDefaults: AcceptLimits = {
  appendTimeoutMs: 10_000,
  maxBufferedBytes: 64 * 1024 ** 2,
  drainBodyMs: 2_000,
};

/** What a partition could not send within this goes to another one. */
export const placementPatienceMs = 1000;

/** How long after its deadline a log is still waited for: its own answer says more than none. */
export const appendGraceMs = 500;

/** How often requests are looked at that wait for the log. */
export const appendSweepMs = 250;
