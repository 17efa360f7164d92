import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import type { GroupMember } from '../../ports/event-log.ts';
import { LagHints, type LowestPosition } from './lag-hints.ts';

const signal = new AbortController().signal;

/** A member that notes when it is let. */
function slowMember() {
  const noted: string[] = [];
  const waiting: (() => void)[] = [];
  const member: Pick<GroupMember, 'commit'> = {
    commit: ({ partition }, offset) => {
      noted.push(`${partition}: ${offset}`);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  return { member: member as GroupMember, noted, answer: () => waiting.splice(0).forEach((resolve) => resolve()) };
}

function positions(...lowest: readonly (number | undefined)[]): readonly LowestPosition[] {
  return lowest.map((offset, partition) => ({ at: { topic: 'source', identity: 'a', partition }, lowest: offset }));
}

it('notes all partitions side by side, at most every second, and only what has moved', async () => {
  const clock = new FakeClock();
  const hints = new LagHints(clock);
  const { member, noted, answer } = slowMember();
  hints.note(member, positions(1, undefined, 7), { signal });
  expect(noted.splice(0)).toEqual(['0: 1', '2: 7']);
  clock.advance(5000);
  hints.note(member, positions(2, 3, 7), { signal });
  expect(noted).toEqual([]);
  answer();
  await hints.ended();
  hints.note(member, positions(2, 3, 7), { signal });
  expect(noted.splice(0)).toEqual(['0: 2', '1: 3']);
  answer();
  await hints.ended();
  clock.advance(999);
  hints.note(member, positions(9, 9, 9), { signal });
  expect(noted).toEqual([]);
  clock.advance(30_000);
  hints.note(member, positions(2, 3, 7), { signal });
  expect(noted).toEqual(['0: 2', '1: 3', '2: 7']);
});
