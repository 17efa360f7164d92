import { describe, expect, it } from 'vitest';
import { crashPoints } from './crash-points.ts';
import { faultNames } from './cluster/fault.ts';
import { groupsOfFaults } from './cluster/groups-of-faults.ts';
import { pointsOfCuts, pointsOfKills } from './groups-of-points.ts';
import { seededRandom } from './random.ts';
import { oneOfEach } from './some-of.ts';

describe('the short form of a crash test', () => {
  it('takes one of each group, the same for the same seed', () => {
    const groups = [['a', 'b', 'c'], ['d'], ['e', 'f']];
    const taken = oneOfEach(groups, seededRandom(7));
    expect(taken).toEqual(oneOfEach(groups, seededRandom(7)));
    expect(taken).toHaveLength(3);
    for (const [index, one] of taken.entries()) expect(groups[index]).toContain(one);
  });

  it.each([
    ['points of the protocol', [...pointsOfKills, ...pointsOfCuts], crashPoints],
    ['kinds of faults', groupsOfFaults, faultNames],
  ])('leaves out none of all %s for long: each is in the runs of some forty seeds', (_, groups, all) => {
    const seeds = Array.from({ length: 40 }, (_unused, seed) => seed);
    const taken = seeds.flatMap((seed) => oneOfEach<string>(groups, seededRandom(seed)));
    expect(new Set(taken)).toEqual(new Set(all));
    expect(groups.flat()).toHaveLength(all.length);
  });
});
