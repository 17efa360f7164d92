import { systemClock } from '../system-clock.ts';

/** Runs `work`; false when it takes longer than `deadlineMs`. */
export async function within(deadlineMs: number, work: () => Promise<void>): Promise<boolean> {
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
