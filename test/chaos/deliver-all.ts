import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

/** Flushes the sinks at these paths until nothing of them waits. */
export async function deliverAll(api: Api, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await api.task('POST', `${path}/flush`);
    await eventually(
      async () => {
        const progress = await api.call<{ delivered: boolean; errors: unknown }>('GET', `${path}/progress`);
        if (!progress.delivered) throw new Error(`${path} is not delivered: ${JSON.stringify(progress)}`);
      },
      { everyMs: 100 },
    );
  }
}
