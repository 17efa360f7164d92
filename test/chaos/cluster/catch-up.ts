import type { Api } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import type { Numbers } from '../../support/shop.ts';
import { calmProgress } from '../calm-progress.ts';
import type { Sender } from '../sender.ts';
import { chaosSinks, sinkPath } from '../shop.ts';
import type { TopicWitness } from './topic-witness.ts';

/** With nothing wrong any more the cluster must get going within this time, also on a busy machine. */
const withinMs = 120_000;

/**
 * Resolves when events are taken again by every way in, and every sink has finished by its own triggers with what was accepted at
 * the time of the call, without an alarm and without an error.
 */
export async function caughtUp(api: Api, { taken, lastAnswers }: Sender): Promise<void> {
  const before = { ...taken };
  await eventually(
    () => {
      const silent = Object.keys(before).find((name) => (taken[name] ?? 0) <= (before[name] ?? 0));
      if (silent !== undefined) throw new Error(`${silent} takes no events: ${lastAnswers[silent] ?? 'no answer yet'}`);
    },
    { withinMs },
  );
  await Promise.all(chaosSinks.map(({ sinkId }) => hasFinished(api, sinkId)));
}

/** Resolves when the sink has finished with what was accepted at the time of the call. */
async function hasFinished(api: Api, sinkId: string): Promise<void> {
  const { accepted } = (await eventually(() => calmProgress(api, sinkId), { withinMs })).totals;
  await eventually(
    async () => {
      const now = await calmProgress(api, sinkId);
      if (finished(now.totals) < accepted)
        throw new Error(`of ${accepted} events sink "${sinkId}" has not finished all: ${JSON.stringify(now)}`);
    },
    { withinMs, everyMs: 500 },
  );
}

/** So many events pass while a sink is away. */
const eventsAway = 50;

/**
 * Resolves when so many events can be read that were sent after the call. Their number in the topic decides: a transaction that was
 * open before holds back what has been acknowledged since.
 */
export async function movedOn({ oracle }: Sender, witness: TopicWitness): Promise<void> {
  const from = performance.now();
  const isSince = (number: number): boolean => (oracle.posted(number)?.startedAt ?? -1) >= from;
  await eventually(
    async () => {
      const places = await witness.read();
      const count = [...oracle.acknowledged].filter((number) => isSince(number) && places.has(number)).length;
      if (count < eventsAway) throw new Error(`events do not go on: ${count} since the sink is away`);
    },
    { withinMs, everyMs: 500 },
  );
}

function finished({ imported, dead, filtered, holes, none, givenUp }: Numbers): number {
  return imported + dead + filtered + holes + none + givenUp;
}

/** Flushes every sink; resolves when all that was accepted is delivered and nothing more comes. */
export async function delivered(api: Api): Promise<void> {
  await Promise.all(chaosSinks.map(({ sinkId }) => isDelivered(api, sinkId)));
}

async function isDelivered(api: Api, sinkId: string): Promise<void> {
  let last = -1;
  await eventually(
    async () => {
      await api.task('POST', `${sinkPath(sinkId)}/flush`);
      const now = await calmProgress(api, sinkId);
      const { accepted } = now.totals;
      const isStill = last === accepted;
      last = accepted;
      if (!isStill || !now.delivered) throw new Error(`sink "${sinkId}" is not delivered: ${JSON.stringify(now)}`);
    },
    { withinMs, everyMs: 1000 },
  );
}
