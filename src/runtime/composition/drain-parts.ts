import { processDraining, processStopped } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { systemClock } from '../system-clock.ts';

export interface Drainable {
  drain(): Promise<void>;
}

export interface DrainOptions {
  readonly telemetry: Telemetry;
  readonly cause: string;
  readonly deadlineMs: number;
}

/**
 * D10: drains the parts one after the other, in the order in which events pass them. False when the deadline comes first; what was
 * accepted is in the log then, and goes on at the next start.
 */
export async function drainParts(
  parts: readonly Drainable[],
  { telemetry, cause, deadlineMs }: DrainOptions,
): Promise<boolean> {
  processDraining(telemetry, { cause });
  const began = systemClock.monotonic();
  const complete = await within(deadlineMs, async () => {
    for (const part of parts) await part.drain();
  });
  processStopped(telemetry, { complete, seconds: (systemClock.monotonic() - began) / 1000 });
  return complete;
}

/** Runs `work`; false when it takes longer than `deadlineMs`. */
async function within(deadlineMs: number, work: () => Promise<void>): Promise<boolean> {
  const done = new AbortController();
  const worked = async (): Promise<boolean> => {
    await work();
    return true;
  };
  const late = async (): Promise<boolean> => {
    try {
      await systemClock.sleep(deadlineMs, done);
    } catch {
      // The work was done in time.
    }
    return false;
  };
  try {
    return await Promise.race([worked(), late()]);
  } finally {
    done.abort();
  }
}
