import { expect, it } from 'vitest';
import { defaultBranch, parseSinkId, parseSourceId } from '../ids.ts';
import { rankings, rankSinks, standingOf, type SinkStanding } from './rank-sinks.ts';

function sink(sinkId: string, numbers: Partial<SinkStanding> = {}): SinkStanding {
  const none = Object.fromEntries(rankings.map((name) => [name, 0])) as Omit<SinkStanding, 'key'>;
  return {
    ...none,
    key: { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId(sinkId) },
    ...numbers,
  };
}

const ids = (all: readonly SinkStanding[]): readonly string[] => all.map(({ key }) => key.sinkId);

it('the sink with most comes first, equals by name, and those with nothing not at all', () => {
  const all = [sink('d', { lagEvents: 3 }), sink('none'), sink('b', { lagEvents: 3 }), sink('c', { lagEvents: 7 })];
  expect(ids(rankSinks(all, 'lagEvents'))).toEqual(['c', 'b', 'd']);
  expect(rankSinks(all, 'deadLetters')).toEqual([]);
});

it('incarnations of one name are one sink: numbers add up, and the largest age counts', () => {
  const all = [sink('a', { lagEvents: 2, lagSeconds: 90 }), sink('a', { lagEvents: 3, lagSeconds: 10, holes: 1 })];
  expect(rankSinks(all, 'lagSeconds')).toEqual([sink('a', { lagEvents: 5, lagSeconds: 90, holes: 1 })]);
});

it('a standing has what was measured, and the dead letters of now', () => {
  const { key } = sink('a');
  const measure = {
    lagEvents: 5,
    lagSeconds: 60,
    stagedRows: 4,
    stagedSeconds: 50,
    targetSeconds: 180,
    differences: { document: -1, ledgerRows: 2, ledgerDead: 0, log: 0 },
    holes: { counted: 9, ringing: 3 },
    aside: { slices: 1, events: 2, oldestSeconds: 8, givenUp: 6 },
    replays: 0,
  };
  expect(standingOf(key, measure, 7)).toMatchObject({
    lagEvents: 5,
    lagSeconds: 60,
    stagedEvents: 4,
    parkedEvents: 2,
    deadLetters: 7,
    holes: 3,
    givenUp: 6,
  });
  expect(standingOf(key, measure, 7).difference).toBeGreaterThan(0);
});
