import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeclaredSource, SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { makePlan, type Installed, type SourcePlan } from './make-plan.ts';
import type { SourceStep as Step } from './plan.ts';

const count = 'storage.level.staging.upload.trigger.count';
const few = fc.constantFrom('a', 'b');
const settings = fc.constantFrom({}, { [count]: 1 }, { [count]: 2 });
const columns = fc.constantFrom<SinkDeclaration['columns']>(
  [{ type: 'uuid', name: 'id' }],
  [
    { type: 'path', name: 'x', path: 'x', rawString: false },
    { type: 'uuid', name: 'id' },
  ],
  [
    { type: 'path', name: 'x', path: 'y', rawString: true, defaultValue: '' },
    { type: 'ip', name: 'id' },
  ],
);
const both = { name: few, description: few, disabled: fc.boolean(), settings };
const sink: fc.Arbitrary<SinkDeclaration> = fc.record({
  ...both,
  sinkId: fc.constantFrom('s1', 's2', 's3'),
  tableId: fc.constantFrom('in.c.t', 'in.c.u'),
  allowedSignals: fc.subarray(['logs', 'metrics'] as const),
  columns,
});
const sorted = <Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[] =>
  items.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
const source: fc.Arbitrary<SourceDeclaration> = fc.record({
  ...both,
  sourceId: fc.constantFrom('p', 'q', 'r'),
  type: fc.constantFrom('http' as const, 'otlp' as const),
  sinks: fc
    .uniqueArray(sink, { selector: ({ sinkId }) => sinkId })
    .map((sinks) => sorted(sinks, ({ sinkId }) => sinkId)),
});
const branch = fc
  .uniqueArray(source, { selector: ({ sourceId }) => sourceId })
  .map((sources) => sorted(sources, ({ sourceId }) => sourceId));

/** Of types of which sources can be made. */
const file = branch.map((sources) => sources.map((one): DeclaredSource => ({ ...one, type: 'http' })));

/** What the API makes of a step, with its refusals. */
function take(branch: readonly SourceDeclaration[], step: Step): readonly SourceDeclaration[] {
  const { sourceId, sinkId } = step.object;
  const put = (changed: SourceDeclaration): readonly SourceDeclaration[] =>
    sorted([...branch.filter((one) => one.sourceId !== sourceId), changed], (one) => one.sourceId);
  const found = branch.find((one) => one.sourceId === sourceId);
  if (step.kind === 'createSource') {
    if (found !== undefined) throw new Error(`source ${sourceId} is there`);
    return put({ ...step.source, disabled: false, settings: {}, sinks: [] });
  }
  if (found === undefined) throw new Error(`no source ${sourceId}`);
  const putSink = (changed: SinkDeclaration): readonly SourceDeclaration[] => {
    const rest = found.sinks.filter((one) => one.sinkId !== changed.sinkId);
    return put({ ...found, sinks: sorted([...rest, changed], (one) => one.sinkId) });
  };
  if (step.kind === 'createSink') return putSink({ ...step.sink, disabled: false, settings: {} });
  if (step.kind === 'updateSource') return put({ ...found, ...step.fields });
  const was = found.sinks.find((one) => one.sinkId === sinkId);
  if (sinkId !== undefined && was === undefined) throw new Error(`no sink ${sinkId}`);
  switch (step.kind) {
    case 'updateSink':
      return was === undefined ? branch : putSink({ ...was, ...step.fields });
    case 'settings': {
      const { settings } = was ?? found;
      const changed = Object.fromEntries(step.settings.map(({ key, value }) => [key, value]));
      const kept = Object.entries({ ...settings, ...changed }).filter(([, value]) => value !== null);
      const after = Object.fromEntries(kept) as SourceDeclaration['settings'];
      return was === undefined ? put({ ...found, settings: after }) : putSink({ ...was, settings: after });
    }
    case 'enable':
    case 'disable': {
      const disabled = step.kind === 'disable';
      if (was === undefined) return put({ ...found, disabled });
      if (found.disabled) throw new Error(`sink ${was.sinkId} cannot be switched while its source is disabled`);
      return putSink({ ...was, disabled });
    }
    case 'delete':
      if (was === undefined) return branch.filter((one) => one !== found);
      return put({ ...found, sinks: found.sinks.filter((one) => one !== was) });
    default:
      return step satisfies never;
  }
}

function installed(branch: readonly SourceDeclaration[], declared: readonly SourceDeclaration[]): Installed {
  const ids = new Set(declared.map(({ sourceId }) => sourceId));
  return {
    sources: branch.filter(({ sourceId }) => ids.has(sourceId)),
    undeclared: branch
      .filter(({ sourceId }) => !ids.has(sourceId))
      .map(({ sourceId, sinks }) => ({ sourceId, sinkIds: sinks.map(({ sinkId }) => sinkId) })),
    tables: new Map(),
  };
}

const planOf = (declared: readonly DeclaredSource[], there: readonly SourceDeclaration[], prune: boolean): SourcePlan =>
  makePlan(declared, installed(there, declared), { prune, alterTables: false });

const isChange = ({ action }: SourcePlan['objects'][number]): boolean =>
  ['create', 'change', 'delete'].includes(action);

describe('a plan', () => {
  it('applied once, leaves nothing to do, wherever it stopped before', () => {
    fc.assert(
      fc.property(
        fc.record({ declared: file, before: branch, prune: fc.boolean(), stop: fc.nat({ max: 10 }) }),
        (given) => {
          const { declared, before, prune, stop } = given;
          let there = before;
          for (const step of planOf(declared, there, prune).steps.slice(0, stop)) there = take(there, step);
          for (const step of planOf(declared, there, prune).steps) there = take(there, step);
          // What waits for its source to be enabled is there after that.
          for (const step of planOf(declared, there, prune).steps) there = take(there, step);
          const last = planOf(declared, there, prune);
          expect(last.steps).toEqual([]);
          expect(last.objects.filter(isChange)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('with --prune makes the branch what the files say, but for sinks that wait with their source', () => {
    fc.assert(
      fc.property(file, branch, (declared, before) => {
        let there = before;
        for (const step of planOf(declared, there, true).steps) there = take(there, step);
        const comparable = (sources: readonly SourceDeclaration[]) =>
          sources.map((one) =>
            one.disabled ? { ...one, sinks: one.sinks.map((sink) => ({ ...sink, disabled: false })) } : one,
          );
        expect(comparable(there)).toEqual(comparable(declared));
      }),
      { numRuns: 500 },
    );
  });

  it('names a difference exactly where there is something to do, and without --prune deletes nothing', () => {
    fc.assert(
      fc.property(file, branch, (declared, before) => {
        const { objects, steps } = planOf(declared, before, false);
        const named = new Set(objects.filter(isChange).map(({ object }) => JSON.stringify(object)));
        expect(new Set(steps.map(({ object }) => JSON.stringify(object)))).toEqual(named);
        expect(steps.filter(({ kind }) => kind === 'delete')).toEqual([]);
        for (const { action, changes } of objects)
          expect(changes.length > 0).toBe(['create', 'change'].includes(action));
      }),
      { numRuns: 500 },
    );
  });
});
