import { describe, expect, it } from 'vitest';
import type { PartitionCondition } from '../../../ports/event-log.ts';
import { testSource } from '../../../../test/support/ingest-harness.ts';
import { createAppendLog } from '../../../../test/support/memory-event-log.ts';
import { Placement, turnBytes } from './placement.ts';

const topic = 'source.1.orders';
const source = testSource({ topic, partitions: 4 });

/** How many of so many turns each partition gets, while these are not well. */
function turns(count: number, conditions: Readonly<Record<number, PartitionCondition>> = {}) {
  const appends = createAppendLog({ keep: false });
  const placement = new Placement(appends.log, 0);
  const set = (changes: Readonly<Record<number, PartitionCondition>>): void => {
    for (const [partition, condition] of Object.entries(changes))
      appends.setCondition({ topic, partition: Number(partition) }, condition);
  };
  const take = (): readonly number[] => {
    const taken = [0, 0, 0, 0];
    for (let turn = 0; turn < count; turn += 1) {
      const at = placement.partitionFor(source, turnBytes);
      if (at !== undefined) taken[at.partition] = (taken[at.partition] ?? 0) + 1;
    }
    return taken;
  };
  set(conditions);
  return { take, set };
}

describe('the partition of a request', () => {
  it('is each of the source in turn', () => {
    expect(turns(400).take()).toEqual([100, 100, 100, 100]);
  });

  it('is the same for as many requests as a turn has bytes', () => {
    const placement = new Placement(createAppendLog({ keep: false }).log, 0);
    const take = (): number | undefined => placement.partitionFor(source, turnBytes / 4)?.partition;
    expect(Array.from({ length: 10 }, take)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
  });

  it('D8: is the next one when the one that has its turn could not take it, and stays so', () => {
    const placement = new Placement(createAppendLog({ keep: false }).log, 0);
    const take = (): number | undefined => placement.partitionFor(source, turnBytes / 4)?.partition;
    expect([take(), placement.partitionAfter(source)?.partition, take(), take()]).toEqual([0, 1, 1, 1]);
  });

  it('is another one for each source that begins', () => {
    const placement = new Placement(createAppendLog({ keep: false }).log, 0);
    const first = (name: string): number | undefined =>
      placement.partitionFor(testSource({ topic: `source.1.${name}`, partitions: 4 }), 1)?.partition;
    expect(['a', 'b', 'c', 'd', 'e', 'a'].map(first)).toEqual([0, 1, 2, 3, 0, 0]);
  });

  it('is another one in each thread that begins', () => {
    const first = (thread: number): number | undefined =>
      new Placement(createAppendLog({ keep: false }).log, thread).partitionFor(source, 1)?.partition;
    expect([0, 1, 2, 3, 4].map(first)).toEqual([0, 1, 2, 3, 0]);
  });

  it.each(['late', 'refusing'] as const)('D8: is none that is %s while another is well; the others share it', (how) => {
    expect(turns(400, { 1: how }).take()).toEqual([133, 0, 134, 133]);
  });

  it('D8: is each in turn again when all are well again', () => {
    const { take, set } = turns(400, { 1: 'late', 2: 'refusing' });
    expect(take()).toEqual([200, 0, 0, 200]);
    set({ 1: 'well', 2: 'well' });
    expect(take()).toEqual([100, 100, 100, 100]);
  });

  it('D8: is a late one when none is well, and none when all refuse', () => {
    const { take, set } = turns(400, { 0: 'refusing', 1: 'late', 2: 'late', 3: 'refusing' });
    expect(take()).toEqual([0, 200, 200, 0]);
    set({ 1: 'refusing', 2: 'refusing' });
    expect(take()).toEqual([0, 0, 0, 0]);
  });
});
