import { describe, expect, it } from 'vitest';
import { faultNames, nameOfFault, type Fault } from './fault.ts';
import { planFaults } from './plan-faults.ts';

function plan(seed: number, kills: number): readonly Fault[] {
  const members = ['ingest-1', 'ingest-2', 'map-1', 'map-2'];
  return planFaults({ seed, kills, members, sessionTimeoutMs: 3000, visitors: ['map', 'stage'] });
}

describe('what goes wrong in a run', () => {
  it.each([1, 4, 40, 300])('is of every kind, for %i kills', (kills) => {
    for (const seed of [1, 2, 3]) expect(new Set(plan(seed, kills).map(nameOfFault))).toEqual(new Set(faultNames));
  });

  it('is only of the kinds that are asked for', () => {
    const members = ['map-1', 'map-2'];
    const kinds = ['kill s3', 'move leaders'] as const;
    const faults = planFaults({ seed: 1, kills: 4, members, sessionTimeoutMs: 3000, visitors: ['map'], kinds });
    expect(new Set(faults.map(nameOfFault))).toEqual(new Set(kinds));
  });

  it('is the same for the same seed', () => {
    expect(plan(7, 40)).toEqual(plan(7, 40));
    expect(plan(7, 40)).not.toEqual(plan(8, 40));
  });

  it('spoils the way to a broker in every way within forty kills, and to every broker', () => {
    const spoilt = plan(1, 40).filter((fault) => fault.kind === 'spoilBrokers' && fault.broker !== undefined);
    const of = (key: 'toxic' | 'broker'): number =>
      new Set(spoilt.map((fault) => fault.kind === 'spoilBrokers' && JSON.stringify(fault[key]))).size;
    expect([of('toxic'), of('broker')]).toEqual([8, 3]);
  });
});
