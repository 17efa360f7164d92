import type { AdminContext } from '../admin-context.ts';
import type { OpenSlice } from '../dependencies.ts';

/** What is open is told when the stage can tell; no page may depend on it. */
export async function openSlices(context: AdminContext): Promise<readonly OpenSlice[]> {
  try {
    return (await context.openSlices?.()) ?? [];
  } catch (thrown) {
    context.telemetry.log.debug({ err: thrown }, 'open slices not told');
    return [];
  }
}
