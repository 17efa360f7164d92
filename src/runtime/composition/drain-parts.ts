import { processDraining, processStopped } from '../../telemetry/process-life.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { systemClock } from '../system-clock.ts';
import { within } from './within.ts';

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
