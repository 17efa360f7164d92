import { describe, expect, it } from 'vitest';
import { chaosEvent, textOf } from './event.ts';
import { Judge, type Found, type Row } from './judge.ts';
import { Oracle } from './oracle.ts';
import { chaosSinks, type ChaosSink } from './shop.ts';

const times = { startedAt: 0, endedAt: 1 };

/** So many events, all acknowledged but those with another status. */
function oracleOf(count: number, statuses: Readonly<Record<number, number | undefined>> = {}): Oracle {
  const oracle = new Oracle();
  for (let number = oracle.next(); number <= count; number = number < count ? oracle.next() : count + 1)
    oracle.note(number, { ...times, status: number in statuses ? statuses[number] : 200 });
  return oracle;
}

function sinkOf(sinkId: string): ChaosSink {
  const found = chaosSinks.find((sink) => sink.sinkId === sinkId);
  if (found === undefined) throw new Error(`there is no sink ${sinkId}`);
  return found;
}

function rowOf(number: number): Row {
  return { id: `id-${number}`, n: String(number), text: textOf(number), mark: 'a' };
}

function letterOf(number: number): Row {
  return { event_id: `id-${number}`, body: Buffer.from(chaosEvent(number).body).toString('base64') };
}

const all = sinkOf('all');
const strict = sinkOf('strict');

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row);
}

function read(judge: Judge, sink: ChaosSink, rows: readonly Row[]): Promise<Found> {
  return judge.read(sink, { rows: each(rows), dead: [] });
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the judge of the crash tests', () => {
  it('finds nothing where each acknowledged event is there once, and an unanswered one once or not', async () => {
    const judge = new Judge(oracleOf(12, { 3: undefined, 4: 503 }));
    const stored = numbers(12).filter((number) => number !== 3);
    const found = await read(judge, all, stored.map(rowOf));
    judge.requireAll(all, found, found.rows);
    const rows = each(stored.filter((number) => number !== 11).map(rowOf));
    const strictly = await judge.read(strict, { rows, dead: [letterOf(11)] });
    judge.requireAll(strict, strictly, found.rows);
  });

  it('D2: notices an acknowledged event that is in no table', async () => {
    const judge = new Judge(oracleOf(5));
    const found = await read(judge, all, [1, 2, 4, 5].map(rowOf));
    expect(() => judge.requireAll(all, found, found.rows)).toThrow('D2: sink "all" lacks 1 events');
  });

  it('D2: notices an unanswered event that one sink has and another does not', async () => {
    const judge = new Judge(oracleOf(5, { 2: undefined }));
    const found = await read(judge, all, [1, 3, 4, 5].map(rowOf));
    expect(() => judge.requireAll(all, found, numbers(5))).toThrow('another sink of the source has, for example 2');
  });

  it('D2: notices a dead letter that is missing', async () => {
    const judge = new Judge(oracleOf(11));
    const found = await read(judge, strict, numbers(10).map(rowOf));
    expect(() => judge.requireAll(strict, found, numbers(11))).toThrow('D2: sink "strict" lacks 1 events');
  });

  const wrong: readonly (readonly [string, readonly Row[], string])[] = [
    ['D3: a row that is there twice', [rowOf(1), rowOf(3), rowOf(1)], 'D3: event 1 is twice'],
    ['a row that was never sent', [rowOf(7)], 'event 7 is in sink "all" as row, never sent'],
    ['a row without a number', [{ ...rowOf(1), n: '' }], 'never sent'],
    ['a row with another text', [{ ...rowOf(1), text: 'event' }], 'event 1 is altered'],
    ['D9: a row that was refused', [rowOf(2)], 'D9: event 2 was refused with 400'],
  ];

  it.each(wrong)('notices %s', async (_, rows, message) => {
    await expect(read(new Judge(oracleOf(3, { 2: 400 })), all, rows)).rejects.toThrow(message);
  });

  it('notices an event that has two ids', async () => {
    const judge = new Judge(oracleOf(3));
    await read(judge, all, [rowOf(1)]);
    await expect(read(judge, strict, [{ ...rowOf(1), id: 'other' }])).rejects.toThrow('elsewhere id-1');
  });

  it('notices a row of what should be a dead letter, and the other way round', async () => {
    const judge = new Judge(oracleOf(11));
    await expect(read(judge, strict, [rowOf(11)])).rejects.toThrow('where it must not be');
    await expect(judge.read(strict, { rows: each([]), dead: [letterOf(1)] })).rejects.toThrow('where it must not be');
  });

  it('notices what a sink took while it was away, and what it did not while it was there', async () => {
    const judge = new Judge(oracleOf(3));
    const switched = sinkOf('switched');
    const found = await read(judge, switched, [1, 2].map(rowOf));
    const period = { from: 0, to: 1 };
    expect(() => judge.requireInside(switched, found, [{ ...period, isTaking: true }])).toThrow('D2: event 3');
    const away = [{ ...period, isTaking: false }];
    expect(() => judge.requireNoneOutside(switched, found, away)).toThrow('event 1 was sent');
    expect([judge.requireInside(switched, found, away), judge.requireNoneOutside(switched, found, [])]).toEqual([0, 0]);
  });

  it('lets a sink that comes back take what was not stable by then, and notices what was', async () => {
    const places = new Map([1, 2, 3].map((number) => [number, { partition: number % 2, offset: 10 * number }]));
    const judge = new Judge(oracleOf(3), places);
    const switched = sinkOf('switched');
    const found = await read(judge, switched, [3].map(rowOf));
    const away = { from: 0, to: 1, isTaking: false };
    const outside = (below: readonly number[]): number =>
      judge.requireNoneOutside(switched, found, [{ ...away, below }]);
    expect([[], [20, 0], [21, 0], [21, 30]].map(outside)).toEqual([0, 0, 1, 2]);
    expect(() => outside([0, 31])).toThrow('event 3 was sent while sink "switched" was away');
    // Only what was sent since it is known to be away.
    expect(judge.requireNoneOutside(switched, found, [{ ...away, from: 0.5, below: [99, 99] }])).toBe(0);
  });

  it('notices a row that is not in the topic of the source, and an event of the topic that is in no table', async () => {
    const places = new Map([1, 3].map((number) => [number, { partition: 0, offset: number }]));
    const judge = new Judge(oracleOf(3, { 2: undefined, 3: undefined }), places);
    await expect(read(judge, all, [rowOf(2)])).rejects.toThrow('event 2 is in sink "all" as row, and not in the topic');
    const found = await read(judge, all, [rowOf(1)]);
    expect(() => judge.requireAll(all, found, places.keys())).toThrow(
      'that the topic of the source has, for example 3',
    );
  });
});
