import type { Parts } from '../parts.ts';
import type { OpenSlice } from '../open-slice.ts';

/** What is open is told when the stage can tell; no page may depend on it. */
export async function openSlices(parts: Pick<Parts, 'openSlices' | 'telemetry'>): Promise<readonly OpenSlice[]> {
  try {
    return (await parts.openSlices?.()) ?? [];
  } catch (thrown) {
    parts.telemetry.log.debug({ err: thrown }, 'open slices not told');
    return [];
  }
}
