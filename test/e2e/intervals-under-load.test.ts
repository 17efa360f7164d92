import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, twice } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { numberColumns, type Shop } from '../support/shop.ts';
import { startTimedSender, taken, type SentEvent } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start({ env: { MILLRACE_PARTITIONS: '3' } });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

/** A time in which a sink surely took events, or surely took none: from the answer of one task to the request of the next. */
interface Period {
  readonly from: number;
  readonly to: number;
}

/** Runs an operation under load; the time in which it is unclear what a sink takes is that between its request and its end. */
async function timed(work: () => Promise<unknown>): Promise<Period> {
  const from = performance.now();
  await work();
  return { from, to: performance.now() };
}

async function whileEventsFlow(events: readonly SentEvent[]): Promise<void> {
  const goal = events.length + 150;
  await eventually(() => expect(events.length).toBeGreaterThan(goal));
}

function within(events: readonly SentEvent[], { from, to }: Period): readonly number[] {
  return taken(events)
    .filter(({ startedAt, endedAt }) => startedAt >= from && endedAt <= to)
    .map(({ number }) => number);
}

/** Checks a table against the periods in which its sink took events and those in which it took none. */
function expectIntervals(
  rows: readonly number[],
  events: readonly SentEvent[],
  { inside, outside }: { readonly inside: readonly Period[]; readonly outside: readonly Period[] },
): void {
  const stored = new Set(rows);
  expect(twice(rows), 'D3: events that are there twice').toEqual([]);
  for (const period of inside) {
    const wanted = within(events, period);
    expect(wanted.length).toBeGreaterThan(50);
    expect(
      wanted.filter((number) => !stored.has(number)),
      'D2: events of an interval that are lost',
    ).toEqual([]);
  }
  for (const period of outside) {
    const unwanted = within(events, period);
    expect(unwanted.length).toBeGreaterThan(50);
    expect(
      unwanted.filter((number) => stored.has(number)),
      'events outside of the intervals',
    ).toEqual([]);
  }
}

async function delivered(shop: Shop, sinkId: string): Promise<void> {
  await eventually(async () => expect(await shop.progress(sinkId)).toMatchObject({ delivered: true, errors: [] }));
}

const end = Number.POSITIVE_INFINITY;

describe('each table has exactly the events of its sink, under load', () => {
  it('D2, D3, D4: a sink that is disabled, enabled, deleted and made again', async () => {
    const shop = installation.shop('switched');
    await shop.create([
      { sinkId: 'always', tableId: 'in.c-shop.always' },
      { sinkId: 'switched', tableId: 'in.c-shop.switched' },
    ]);
    const sink = shop.sink('switched');
    const sender = startTimedSender({ url: await shop.url(), connections: 6, pauseMs: 3 });
    await whileEventsFlow(sender.events);
    const disable = await timed(() => shop.api.task('PUT', `${sink}/disable`));
    await whileEventsFlow(sender.events);
    const enable = await timed(() => shop.api.task('PUT', `${sink}/enable`));
    await whileEventsFlow(sender.events);
    const before = await shop.progress('switched');
    const remove = await timed(() => shop.api.task('DELETE', sink));
    await whileEventsFlow(sender.events);
    const create = await timed(() => shop.createSink({ sinkId: 'switched', tableId: 'in.c-shop.switched' }));
    await whileEventsFlow(sender.events);
    const events = await sender.stop();
    await delivered(shop, 'always');
    await delivered(shop, 'switched');
    const inside = [
      { from: 0, to: disable.from },
      { from: enable.to, to: remove.from },
      { from: create.to, to: end },
    ];
    const outside = [
      { from: disable.to, to: enable.from },
      { from: remove.to, to: create.from },
    ];
    // What the deleted incarnation accepted is still delivered, though nothing shows it any more.
    const rows = await eventually(async () => {
      const found = await shop.numbersIn('in.c-shop.switched');
      expectIntervals(found, events, { inside, outside });
      return found;
    });
    const after = await shop.progress('switched');
    expect(after.incarnation).toBeGreaterThan(before.incarnation);
    expectConserved(after, after.totals.imported);
    expect(after.totals.imported).toBeGreaterThanOrEqual(within(events, { from: create.to, to: end }).length);
    expect(after.totals.imported).toBeLessThan(rows.length);
    const all = await shop.numbersIn('in.c-shop.always');
    expectIntervals(all, events, { inside: [{ from: 0, to: end }], outside: [] });
    expectConserved(await shop.progress('always'), all.length);
  });

  it('D7: a sink whose mapping changes makes each row with exactly one version of it', async () => {
    const shop = installation.shop('mapped');
    await shop.create([{ sinkId: 'mapped', tableId: 'in.c-shop.first' }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 6, pauseMs: 3 });
    await whileEventsFlow(sender.events);
    const columns = [...numberColumns, { type: 'datetime', name: 'at' }];
    const change = await timed(() =>
      shop.api.task('PATCH', shop.sink('mapped'), { table: { tableId: 'in.c-shop.second', mapping: { columns } } }),
    );
    await eventually(async () => expect(await shop.numbersIn('in.c-shop.second')).not.toEqual([]));
    const changedAt = Math.max(performance.now(), change.to + 2000);
    await eventually(() => expect(sender.events.at(-1)?.startedAt).toBeGreaterThan(changedAt + 200));
    const events = await sender.stop();
    await delivered(shop, 'mapped');
    const [first, second] = [await shop.numbersIn('in.c-shop.first'), await shop.numbersIn('in.c-shop.second')];
    expect(twice([...first, ...second]), 'events that two versions mapped').toEqual([]);
    expect([...first, ...second].sort((a, b) => a - b)).toEqual(
      taken(events)
        .map(({ number }) => number)
        .sort((a, b) => a - b),
    );
    // An event that was answered before the change may meet either version; one that was sent two seconds later only the second, or later
    // still where the machine takes longer until the second has a row.
    const late = within(events, { from: changedAt, to: end });
    expect(late.length).toBeGreaterThan(0);
    expect(first.filter((number) => late.includes(number))).toEqual([]);
    expectConserved(await shop.progress('mapped'), first.length + second.length);
  });
});
