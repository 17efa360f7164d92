import { ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DurableFolders } from './durable-folders.ts';

/** A folder on a disk: a sync takes the entries that are there when it begins; a failed one loses them and says so once. */
class Folder {
  readonly #dirty = new Set<string>();
  readonly #durable = new Set<string>();

  add(entry: string): void {
    this.#dirty.add(entry);
  }

  isDurable(entry: string): boolean {
    return this.#durable.has(entry);
  }

  async sync(outcome: Promise<unknown>): Promise<void> {
    const taken = [...this.#dirty];
    try {
      await outcome;
      for (const entry of taken) this.#durable.add(entry);
    } finally {
      for (const entry of taken) this.#dirty.delete(entry);
    }
  }

  /** The device fails: what was written until now is forgotten, and a later sync knows nothing of it. */
  async fail(outcome: Promise<unknown>): Promise<void> {
    await outcome;
    this.#dirty.clear();
    throw new Error('EIO');
  }
}

it('D1: an entry is durable when its sync resolves, whoever asks at the same time and whatever fails', async () => {
  const outcomes = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
  const puts = fc.integer({ min: 1, max: 12 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), puts, outcomes, async (scheduler, count, fails) => {
      const folders = new Map([0, 1].map((number) => [`/root/${number}`, new Folder()]));
      let syncs = 0;
      const durable = new DurableFolders('/root', (path) => {
        const folder = folders.get(path);
        const fail = fails[syncs++ % fails.length] === true;
        const outcome = scheduler.schedule(Promise.resolve(), `sync ${path}`);
        return folder?.[fail ? 'fail' : 'sync'](outcome) ?? Promise.reject(new Error(path));
      });
      const put = async (number: number): Promise<void> => {
        const path = `/root/${number % 2}`;
        await scheduler.schedule(Promise.resolve(), `put ${number}`);
        folders.get(path)?.add(`${number}`);
        const done = await durable.sync(path).then(
          () => true,
          () => false,
        );
        ok(!done || folders.get(path)?.isDurable(`${number}`) === true);
      };
      const all = Promise.all(Array.from({ length: count }, (_, number) => put(number)));
      await scheduler.waitFor(all);
      expect(syncs).toBeLessThanOrEqual(count);
    }),
    { numRuns: 300 },
  );
});

it('many that ask while a sync is under way share one', async () => {
  const ends: (() => void)[] = [];
  const durable = new DurableFolders('/root', () => new Promise<void>((resolve) => void ends.push(resolve)));
  const first = durable.sync('/root/a');
  const others = Array.from({ length: 50 }, () => durable.sync('/root/a'));
  const elsewhere = durable.sync('/root/b');
  expect(ends).toHaveLength(2);
  for (const end of ends.slice()) end();
  await Promise.all([first, elsewhere]);
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.();
  await Promise.all(others);
  expect(ends).toHaveLength(3);
});
