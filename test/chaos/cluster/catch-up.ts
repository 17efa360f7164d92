import type { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import type { SinkProgressAnswer } from '../../support/shop.ts';
import { sinkPath, sinksOfShop } from './chaos-shop.ts';
import type { TwoDoorsSender } from './two-doors-sender.ts';

/** With nothing wrong any more the cluster must get going within this time, also on a busy machine. */
const withinMs = 120_000;

/**
 * Resolves when every ingest process takes events again, and every sink has imported by its own triggers what was accepted at
 * the time of the call.
 */
export async function caughtUp(api: Api, { byDoor, lastAnswers }: TwoDoorsSender): Promise<void> {
  const taken = [...byDoor];
  await eventually(
    () => {
      const silent = byDoor.findIndex((count, door) => count <= (taken[door] ?? 0));
      if (silent >= 0) throw new Error(`ingest process ${silent + 1} takes no events: ${lastAnswers[silent]}`);
    },
    { withinMs },
  );
  for (const { sinkId } of sinksOfShop) {
    const { accepted } = (await eventually(() => progress(api, sinkId), { withinMs })).totals;
    await eventually(
      async () => {
        const now = await progress(api, sinkId);
        if (now.totals.imported < accepted)
          throw new Error(`of ${accepted} events sink "${sinkId}" has not imported all: ${JSON.stringify(now)}`);
      },
      { withinMs, everyMs: 250 },
    );
  }
}

/** Flushes every sink; resolves when all that was accepted is delivered and nothing more comes. */
export async function delivered(api: Api): Promise<void> {
  for (const { sinkId } of sinksOfShop) {
    let last = -1;
    await eventually(
      async () => {
        await api.task('POST', `${sinkPath(sinkId)}/flush`);
        const now = await progress(api, sinkId);
        const { accepted, imported, difference } = now.totals;
        const isStill = last === accepted;
        last = accepted;
        if (!isStill || imported < accepted || difference !== 0 || now.alarm !== undefined)
          throw new Error(`sink "${sinkId}" is not delivered: ${JSON.stringify(now)}`);
      },
      { withinMs, everyMs: 1000 },
    );
  }
}

function progress(api: Api, sinkId: string): Promise<SinkProgressAnswer> {
  return api.call<SinkProgressAnswer>('GET', `${sinkPath(sinkId)}/progress`);
}
