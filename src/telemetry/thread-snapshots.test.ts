import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { mergeMetrics, snapshotMetrics, type MetricsSnapshot } from './metrics-snapshot.ts';
import { ThreadSnapshots, type MetricsThread } from './thread-snapshots.ts';

const { signal } = new AbortController();

/** A thread with metrics of its own, which answers unless it is silent. */
class Counting implements MetricsThread {
  readonly id: string;
  readonly #registry = new Registry();
  readonly #registers = { registers: [this.#registry], help: 'of a test' };
  readonly #events = new Counter({ ...this.#registers, name: 'events', labelNames: ['branch', 'source'] });
  readonly #open = new Gauge({ ...this.#registers, name: 'open' });
  readonly #sizes = new Histogram({ ...this.#registers, name: 'sizes', buckets: [10] });
  isSilent = false;

  constructor(id: string) {
    this.id = id;
    this.#open.set(1);
  }

  take(events: number, source = 'shop'): void {
    this.#events.inc({ branch: '1', source }, events);
    this.#sizes.observe(events);
  }

  async metrics(): Promise<MetricsSnapshot | undefined> {
    // As over the border of a thread.
    return this.isSilent ? undefined : structuredClone(await snapshotMetrics(this.#registry));
  }
}

async function valuesOf(snapshots: readonly MetricsSnapshot[]): Promise<Readonly<Record<string, number>>> {
  const { text } = await mergeMetrics(snapshots);
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ .*/, ''), Number(line.replace(/.* /, ''))]));
}

const events = 'events{branch="1",source="shop"}';

it('what a thread has counted stays when it does not answer; what it has at the moment is not known then', async () => {
  const snapshots = new ThreadSnapshots();
  const [one, two] = [new Counting('one'), new Counting('two')];
  one.take(5);
  two.take(20);
  const first = await valuesOf(await snapshots.take([one, two], { signal }));
  expect(first).toMatchObject({ [events]: 25, open: 2, sizes_sum: 25, 'sizes_bucket{le="10"}': 1 });
  two.isSilent = true;
  one.take(1);
  expect(await valuesOf(await snapshots.take([one, two], { signal }))).toMatchObject({ [events]: 26, open: 1 });
  two.isSilent = false;
  expect(await valuesOf(await snapshots.take([one, two], { signal }))).toMatchObject({ [events]: 26, open: 2 });
});

it('what a thread had counted is added to what its successors count, as often as it is replaced', async () => {
  const snapshots = new ThreadSnapshots();
  const stays = new Counting('one');
  stays.take(1);
  let sum = 1;
  for (let lives = 0; lives < 3; lives += 1) {
    const thread = new Counting('two');
    for (let looks = 0; looks < 2; looks += 1) {
      thread.take(10);
      sum += 10;
      expect(await valuesOf(await snapshots.take([stays, thread], { signal }))).toMatchObject({
        [events]: sum,
        sizes_sum: sum,
        sizes_count: 1 + lives * 2 + looks + 1,
        open: 2,
      });
    }
  }
});

it('D8: what was counted of a source that is gone goes with the thread that had it', async () => {
  const snapshots = new ThreadSnapshots();
  const first = new Counting('one');
  first.take(5, 'gone');
  first.take(5);
  const known = () => ({ hasSource: ({ source }: { source: string }) => source === 'shop', hasSink: () => false });
  expect(await valuesOf(await snapshots.take([first], { signal, known }))).toHaveProperty([
    'events{branch="1",source="gone"}',
  ]);
  const values = await valuesOf(await snapshots.take([new Counting('one')], { signal, known }));
  expect(values).toMatchObject({ [events]: 5, sizes_sum: 10 });
  expect(values).not.toHaveProperty(['events{branch="1",source="gone"}']);
});
