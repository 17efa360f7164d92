import { describe, expect, it } from 'vitest';
import type { PartitionCondition } from '../../../ports/event-log.ts';
import { testSource } from '../../../../test/support/ingest-harness.ts';
import { createAppendLog } from '../../../../test/support/memory-event-log.ts';
import { Placement } from './placement.ts';

const topic = 'source.1.orders';
const source = testSource({ topic, partitions: 4 });

/** How many of so many turns each partition gets, while these are not well. */
function turns(count: number, conditions: Readonly<Record<number, PartitionCondition>> = {}) {
  const appends = createAppendLog({ keep: false });
  const placement = new Placement(appends.log);
  const set = (changes: Readonly<Record<number, PartitionCondition>>): void => {
    for (const [partition, condition] of Object.entries(changes))
      appends.setCondition({ topic, partition: Number(partition) }, condition);
  };
  const take = (): readonly number[] => {
    const taken = [0, 0, 0, 0];
    for (let turn = 0; turn < count; turn += 1) {
      const at = placement.partitionFor(source);
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
