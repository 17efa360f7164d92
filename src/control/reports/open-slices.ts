import type { Parts } from '../parts.ts';
import type { OpenSliceState } from '../../core/accounts/open-slice-state.ts';

/** What is open is told when the stage can tell; no page may depend on it. */
export async function openSlices(parts: Pick<Parts, 'openSlices' | 'telemetry'>): Promise<readonly OpenSliceState[]> {
  try {
    return (await parts.openSlices?.()) ?? [];
  } catch (thrown) {
    parts.telemetry.log.debug({ err: thrown }, 'open slices not told');
    return [];
  }
}
