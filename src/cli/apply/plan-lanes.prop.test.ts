import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from './plan.ts';
import { planLanes, type Lane } from './plan-lanes.ts';

const object = fc.record({ sourceId: fc.constantFrom('p', 'q'), sinkId: fc.constantFrom('a', 'b', 'c', 'd') });
const createSink = (ref: { readonly sourceId: string; readonly sinkId: string }, tableId: string): Step => {
  const none = { name: '', description: '', disabled: false, allowedSignals: [], columns: [], settings: {} };
  return { kind: 'createSink', object: ref, sink: { ...none, sinkId: ref.sinkId, tableId } };
};
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(object, fc.constantFrom('t', 'u', 'v')).map(([ref, table]) => createSink(ref, table)),
  },
  { weight: 2, arbitrary: object.map((ref): Step => ({ kind: 'settings', object: ref, settings: [] })) },
  object.map(({ sourceId }): Step => ({ kind: 'settings', object: { sourceId }, settings: [] })),
  object.map((ref): Step => ({ kind: 'disable', object: ref })),
  object.map((ref): Step => ({ kind: 'updateSink', object: ref, fields: {} })),
);

const isAlone = (lanes: readonly Lane[]): boolean => lanes.length === 1 && lanes[0]?.length === 1;

describe('the lanes of a plan', () => {
  it('have every step once, each group after the one before it, each lane in the order of the plan', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const groups = planLanes(steps);
        const inGroups = groups.map((lanes) => lanes.flat().map((one) => steps.indexOf(one)));
        expect(inGroups.map((group) => group.toSorted((a, b) => a - b)).flat()).toEqual([...steps.keys()]);
        for (const lane of groups.flat()) {
          const positions = lane.map((one) => steps.indexOf(one));
          expect(positions).toEqual(positions.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('are side by side only for sinks that are created in one source, with their settings, each table in one lane', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        for (const lanes of planLanes(steps).filter((group) => !isAlone(group))) {
          const all = lanes.flat();
          expect(new Set(all.map((one) => one.object.sourceId)).size).toBe(1);
          expect(all.every(({ kind }) => kind === 'createSink' || kind === 'settings')).toBe(true);
          const tables = lanes.map((lane) =>
            lane.flatMap((one) => (one.kind === 'createSink' ? [one.sink.tableId] : [])),
          );
          expect(tables.map((of) => new Set(of).size)).toEqual(lanes.map(() => 1));
          expect(new Set(tables.flat()).size).toBe(lanes.length);
        }
      }),
    );
  });

  it('of a source with many sinks are as many as their tables', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      createSink({ sourceId: 'p', sinkId: `s${index}` }, `t${index % 50}`),
    );
    expect(planLanes(many).map((lanes) => lanes.length)).toEqual([50]);
  });
});
