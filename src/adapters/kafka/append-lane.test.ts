import { describe, expect, it } from 'vitest';
import type { NewRecord } from '../../ports/event-log.ts';
import { AppendLane, type LaneBatch } from './append-lane.ts';
import { lateAppendMs, untriedTrialMs } from './config.ts';
import { BrokerError } from './error-codes.ts';

const at = { topic: 'orders', identity: 'a', partition: 0 };
const times = { now: 0, withinMs: 10_000, sendWithinMs: Number.POSITIVE_INFINITY };
const tooFewReplicas = new BrokerError(19);

function record(text: string): NewRecord {
  return { value: Buffer.from(text), headers: [], timestamp: 0 };
}

/** Enough to tell batches apart. */
function encode(records: readonly NewRecord[]): Buffer {
  return Buffer.concat(records.map(({ value }) => value));
}

function begin(lane: AppendLane): LaneBatch {
  const batch = lane.next(encode);
  if (batch === undefined) throw new Error('there is nothing to send');
  return batch;
}

/** Its batch was sent and the answer got lost. */
function sendInVain(lane: AppendLane): LaneBatch {
  const batch = begin(lane);
  batch.wasUnclear = true;
  batch.unanswered -= 1;
  return batch;
}

/** Its batch was sent, and refused before it was written. */
function sendRefused(lane: AppendLane): LaneBatch {
  const batch = begin(lane);
  batch.unanswered -= 1;
  return batch;
}

async function refuse(lane: AppendLane): Promise<void> {
  const lost = lane.append([record('a')], times);
  sendInVain(lane);
  lane.expire(10_000);
  await expect(lost).rejects.toMatchObject({ code: 'log.unavailable' });
}

describe('an append that meets its deadline', () => {
  it('D1: is log.refused when nothing of it was sent: nothing of it is stored', async () => {
    const lane = new AppendLane(at);
    const append = lane.append([record('a')], times);
    expect(lane.expire(10_000)).toBe(false);
    await expect(append).rejects.toMatchObject({ code: 'log.refused' });
    expect(lane.hasWork).toBe(false);
  });

  it('D1: is log.refused when each try was refused before it was written', async () => {
    const lane = new AppendLane(at);
    const append = lane.append([record('a')], times);
    lane.refusedForNow(sendRefused(lane), tooFewReplicas);
    lane.refusedForNow(sendRefused(lane), tooFewReplicas);
    lane.expire(10_000);
    await expect(append).rejects.toMatchObject({ code: 'log.refused', cause: tooFewReplicas });
  });

  it('D1: is log.unavailable when it was sent and not answered, also when it was refused afterwards', async () => {
    const lane = new AppendLane(at);
    const append = lane.append([record('a')], times);
    lane.refusedForNow(sendInVain(lane), tooFewReplicas);
    expect(lane.expire(9999)).toBe(false);
    expect(lane.expire(10_000)).toBe(true);
    await expect(append).rejects.toMatchObject({ code: 'log.unavailable' });
  });

  it('D1: is log.unavailable while it is on its way', async () => {
    const lane = new AppendLane(at);
    const append = lane.append([record('a')], times);
    begin(lane);
    lane.expire(10_000);
    await expect(append).rejects.toMatchObject({ code: 'log.unavailable' });
  });

  it('D1: is log.unavailable when one request with it was refused and another has no answer', async () => {
    const lane = new AppendLane(at);
    const append = lane.append([record('a')], times);
    begin(lane);
    lane.refusedForNow(sendRefused(lane), tooFewReplicas);
    lane.expire(10_000);
    await expect(append).rejects.toMatchObject({ code: 'log.unavailable' });
  });

  it('is settled alone: what came later in the same batch has its own time, and the batch stays the same', async () => {
    const lane = new AppendLane(at);
    const first = lane.append([record('a')], times);
    const second = lane.append([record('b')], { ...times, now: 500 });
    const batch = sendInVain(lane);
    expect(lane.expire(10_000)).toBe(false);
    await expect(first).rejects.toMatchObject({ code: 'log.unavailable' });
    expect(begin(lane)).toBe(batch);
    lane.stored(batch, 7, 10_100);
    expect(await second).toBe(8);
  });
});

describe('a partition that stored nothing while an append had time', () => {
  it('D8: refuses what waits and what comes at once', async () => {
    const lane = new AppendLane(at);
    const sent = lane.append([record('a')], times);
    sendInVain(lane);
    const waiting = lane.append([record('b')], { ...times, now: 9000 });
    lane.expire(10_000);
    await expect(sent).rejects.toMatchObject({ code: 'log.unavailable' });
    await expect(waiting).rejects.toMatchObject({ code: 'log.refused' });
    expect(lane.condition(10_000)).toBe('refusing');
    await expect(lane.append([record('c')], { ...times, now: 10_001 })).rejects.toMatchObject({ code: 'log.refused' });
  });

  it('D8: refuses in another turn, so that whoever tries again at once starves nobody', async () => {
    const lane = new AppendLane(at);
    await refuse(lane);
    const turns: string[] = [];
    const again = async (): Promise<void> => {
      while (!turns.includes('turn'))
        await lane.append([record('b')], { ...times, now: 10_001 }).catch(() => undefined);
    };
    setImmediate(() => turns.push('turn'));
    await again();
    expect(turns).toEqual(['turn']);
  });

  it('lets one append through when the probe finds it well, and opens when that is stored', async () => {
    const lane = new AppendLane(at);
    await refuse(lane);
    lane.beginTrial(10_500);
    expect(lane.condition(11_000)).toBe('well');
    const trial = lane.append([record('b')], { ...times, now: 11_000 });
    await expect(lane.append([record('c')], { ...times, now: 11_000 })).rejects.toMatchObject({ code: 'log.refused' });
    lane.stored(begin(lane), 3, 11_010);
    expect(await trial).toBe(3);
    expect(lane.condition(11_010)).toBe('well');
    expect(lane.trouble).toBeUndefined();
  });

  it('refuses on when the trial is refused, which is told that it was not stored', async () => {
    const lane = new AppendLane(at);
    await refuse(lane);
    lane.beginTrial(10_500);
    const trial = lane.append([record('b')], { ...times, now: 11_000 });
    lane.refusedForNow(sendRefused(lane), tooFewReplicas);
    await expect(trial).rejects.toMatchObject({ code: 'log.refused' });
    expect(lane.condition(11_001)).toBe('refusing');
    expect(lane.needsProbe).toBe(true);
  });

  it('D8: is not well for a trial that takes long: it is probed again once that has failed', async () => {
    const lane = new AppendLane(at);
    await refuse(lane);
    lane.beginTrial(11_000);
    const trial = lane.append([record('b')], { ...times, now: 11_000 });
    const batch = begin(lane);
    lane.expire(11_000 + lateAppendMs + 1);
    lane.fail(batch, new Error('the connection has ended'));
    await expect(trial).rejects.toMatchObject({ code: 'log.unavailable' });
    expect(lane.condition(13_000)).toBe('refusing');
    expect(lane.needsProbe).toBe(true);
  });

  it('D8: is as good as any other when it was found well and nobody has had anything for a trial', async () => {
    const lane = new AppendLane(at);
    await refuse(lane);
    lane.beginTrial(10_500);
    lane.expire(10_499 + untriedTrialMs);
    expect(lane.trouble).toMatchObject({ at, condition: 'refusing' });
    lane.expire(10_500 + untriedTrialMs);
    expect([lane.trouble, lane.condition(10_501 + untriedTrialMs)]).toEqual([undefined, 'well']);
  });

  it('does not refuse for what came too late in a long queue: it stores', async () => {
    const lane = new AppendLane(at);
    const first = lane.append([record('a')], times);
    const batch = begin(lane);
    const queued = lane.append([record('b')], times);
    lane.stored(batch, 0, 9999);
    lane.expire(10_000);
    await expect(queued).rejects.toMatchObject({ code: 'log.refused' });
    expect([await first, lane.condition(10_000)]).toEqual([0, 'well']);
  });
});

describe('a partition that is late', () => {
  it('is late while an append is older than a second, and takes appends', async () => {
    const lane = new AppendLane(at);
    const first = lane.append([record('a')], times);
    const batch = begin(lane);
    expect(lane.condition(lateAppendMs)).toBe('well');
    expect(lane.condition(lateAppendMs + 1)).toBe('late');
    const second = lane.append([record('b')], { ...times, now: 2000 });
    lane.stored(batch, 0, 2001);
    lane.stored(begin(lane), 1, 2002);
    expect([await first, await second, lane.condition(2002)]).toEqual([0, 1, 'well']);
  });

  it('D1: gives back what it could not send, as not stored; and what it sent it keeps', async () => {
    const lane = new AppendLane(at);
    const movable = { ...times, sendWithinMs: lateAppendMs };
    const sent = lane.append([record('a')], movable);
    const batch = sendInVain(lane);
    const unsent = lane.append([record('b')], movable);
    lane.expire(lateAppendMs);
    await expect(unsent).rejects.toMatchObject({ code: 'log.refused' });
    expect(lane.condition(lateAppendMs)).toBe('late');
    lane.stored(batch, 0, 5000);
    expect([await sent, lane.condition(5000)]).toEqual([0, 'well']);
  });
});

it('what is too large together is tried one by one, in order, unless it may be stored already', async () => {
  const lane = new AppendLane(at);
  const appends = ['a', 'b'].map((text) => lane.append([record(text)], times));
  lane.refusedAsTooLarge(sendRefused(lane), new BrokerError(10));
  const texts: string[] = [];
  for (const offset of [0, 1]) {
    const batch = begin(lane);
    texts.push(batch.bytes.toString());
    lane.stored(batch, offset, 1);
  }
  expect([texts, await Promise.all(appends)]).toEqual([
    ['a', 'b'],
    [0, 1],
  ]);
});
