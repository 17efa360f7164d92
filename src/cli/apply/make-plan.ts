import { isDeepStrictEqual } from 'node:util';
import type { SettingOverrides } from '../../core/source.ts';
import type { SettingChange } from '../client.ts';
import type { DeclaredSource, SourceRef, SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { sinkChanges, sinkContent, sourceChanges, sourceContent } from './field-change.ts';
import type { ObjectPlan, SinkFields, SourceStep as Step } from './plan.ts';
import { tableOutcome, type TableGround, type TableOutcome, type TableUser } from './table-outcome.ts';

/** A source that no file declares. */
interface UndeclaredSource {
  readonly sourceId: string;
  readonly sinkIds: readonly string[];
}

/** What a branch has. */
export interface Installed {
  /** The sources that files declare, with all their sinks. */
  readonly sources: readonly SourceDeclaration[];
  readonly undeclared: readonly UndeclaredSource[];
  /** The columns of each table that is there. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** Who needs the tables that may change; absent: nobody. */
  readonly users?: ReadonlyMap<string, readonly TableUser[]>;
}

/** What is to be done with sources and sinks. */
export interface SourcePlan {
  readonly objects: readonly ObjectPlan[];
  readonly steps: readonly Step[];
}

export interface PlanOptions {
  /** Delete what no file declares. */
  readonly prune: boolean;
  /** Tables get the columns of sinks that change. */
  readonly alterTables: boolean;
}

/** What a sink finds. */
interface Ground extends PlanOptions, TableGround {}

/**
 * What makes the branch as the files say. A source is made and changed before its sinks, and enabled or disabled so that
 * no sink takes events in a form that the files do not name; deletions come last.
 */
export function makePlan(declared: readonly DeclaredSource[], installed: Installed, options: PlanOptions): SourcePlan {
  const there = new Map(installed.sources.map((source) => [source.sourceId, source]));
  const ground = { ...options, tables: installed.tables, users: allUsers(declared, installed) };
  const parts = declared.map((source) => ({
    sourceId: source.sourceId,
    ...sourcePlan(source, there.get(source.sourceId), ground),
  }));
  const others = installed.undeclared.map((source) => ({
    sourceId: source.sourceId,
    ...undeclaredPlan(source, options),
  }));
  const all = [...parts, ...others].toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1));
  return {
    objects: all.flatMap(({ objects }) => objects),
    steps: [...parts, ...others].flatMap(({ steps }) => steps),
  };
}

/** Also the sinks that files put to a table. */
function allUsers(declared: readonly DeclaredSource[], { users }: Installed): TableGround['users'] {
  const all = new Map(users);
  for (const { sourceId, sinks } of declared)
    for (const { sinkId, tableId, columns } of sinks) {
      const user = {
        object: { sourceId, sinkId },
        columns: columns.map(({ name }) => name),
        isDeclared: true,
      } as const;
      const known = all.get(tableId) ?? [];
      const isKnown = known.some(
        ({ object, columns: before }) =>
          isDeepStrictEqual(object, user.object) && isDeepStrictEqual(before, user.columns),
      );
      if (!isKnown) all.set(tableId, [...known, user]);
    }
  return all;
}

function sourcePlan(source: DeclaredSource, before: SourceDeclaration | undefined, options: Ground): SourcePlan {
  const object = { sourceId: source.sourceId };
  const own = before === undefined ? newSource(source) : changedSource(source, before);
  const sinks = source.sinks.map((sink) => {
    const was = before?.sinks.find(({ sinkId }) => sinkId === sink.sinkId);
    // A sink of a disabled source cannot be switched by itself, and takes no events either way.
    const waits = source.disabled && before?.disabled === true && sink.disabled !== (was?.disabled ?? false);
    const possible = waits ? { ...sink, disabled: !sink.disabled } : sink;
    const part =
      was === undefined ? newSink(object, possible, options) : changedSink(object, { sink: possible, was }, options);
    return waits ? { ...part, plan: withRemark(part.plan, switchedLater(sink)) } : part;
  });
  const ids = new Set(source.sinks.map(({ sinkId }) => sinkId));
  const undeclared = (before?.sinks ?? [])
    .filter(({ sinkId }) => !ids.has(sinkId))
    .map(({ sinkId }) => undeclaredObject({ ...object, sinkId }, options));
  const wasDisabled = before?.disabled ?? false;
  const after = [...sinks.flatMap(({ switching }) => switching), ...undeclared.flatMap(({ steps }) => steps)];
  return {
    objects: [
      own.plan,
      ...[...sinks, ...undeclared].map(({ plan }) => plan).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
    ],
    steps: [
      ...own.steps,
      ...sinks.flatMap(({ steps }) => steps),
      ...(wasDisabled && !source.disabled ? [{ kind: 'enable', object } as const] : []),
      ...after,
      ...(!wasDisabled && source.disabled ? [{ kind: 'disable', object } as const] : []),
    ],
  };
}

function idOf({ object }: ObjectPlan): string {
  return object.sinkId ?? '';
}

interface Part {
  readonly plan: ObjectPlan;
  readonly steps: readonly Step[];
}

interface SinkPart extends Part {
  /** After the source is enabled, before it is disabled. */
  readonly switching: readonly Step[];
}

function newSource(source: DeclaredSource): Part {
  const object = { sourceId: source.sourceId };
  return {
    plan: { object, action: 'create', changes: sourceContent(source), remarks: [] },
    steps: [{ kind: 'createSource', object, source }, ...settingSteps(object, {}, source.settings)],
  };
}

function changedSource(source: DeclaredSource, before: SourceDeclaration): Part {
  const object = { sourceId: source.sourceId };
  const changes = sourceChanges(before, source);
  const fields = {
    ...(source.type === before.type ? {} : { type: source.type }),
    ...(source.name === before.name ? {} : { name: source.name }),
    ...(source.description === before.description ? {} : { description: source.description }),
  };
  const remarks = source.type === before.type ? [] : ['another type has another URL and secret: tell its senders'];
  return {
    plan: { object, action: changes.length === 0 ? 'unchanged' : 'change', changes, remarks, ...kept(before, source) },
    steps: [
      ...(Object.keys(fields).length === 0 ? [] : [{ kind: 'updateSource', object, fields } as const]),
      ...settingSteps(object, before.settings, source.settings),
    ],
  };
}

function kept({ partitions: has }: SourceDeclaration, { partitions }: DeclaredSource): Pick<ObjectPlan, 'obstacle'> {
  if (partitions === undefined || has === undefined || has === partitions) return {};
  const text = `a source keeps the partitions that it was made with (${has}): leave "partitions" out, or make another source`;
  return { obstacle: text };
}

function newSink({ sourceId }: SourceRef, sink: SinkDeclaration, ground: Ground): SinkPart {
  const object = { sourceId, sinkId: sink.sinkId };
  const { obstacle } = tableOutcome(sink, object, { ...ground, alterTables: false });
  const plan = { object, action: 'create', changes: sinkContent(sink), remarks: [] } as const;
  if (obstacle !== undefined) return { plan: { ...plan, obstacle }, steps: [], switching: [] };
  return {
    plan: { object, action: 'create', changes: sinkContent(sink), remarks: [] },
    steps: [{ kind: 'createSink', object, sink }, ...settingSteps(object, {}, sink.settings)],
    switching: sink.disabled ? [{ kind: 'disable', object }] : [],
  };
}

function switchedLater({ disabled }: SinkDeclaration): string {
  return `will be ${disabled ? 'disabled' : 'enabled'} by an apply after its source is enabled`;
}

function withRemark(plan: ObjectPlan, remark: string): ObjectPlan {
  return { ...plan, remarks: [...plan.remarks, remark] };
}

interface SinkPair {
  readonly sink: SinkDeclaration;
  readonly was: SinkDeclaration;
}

function changedSink({ sourceId }: SourceRef, { sink, was }: SinkPair, ground: Ground): SinkPart {
  const object = { sourceId, sinkId: sink.sinkId };
  const changes = sinkChanges(was, sink);
  const isMapped = sink.tableId === was.tableId && isDeepStrictEqual(namesOf(sink), namesOf(was));
  const { remarks, obstacle, alter }: TableOutcome = isMapped ? { remarks: [] } : tableOutcome(sink, object, ground);
  const fields = {
    ...(sink.name === was.name ? {} : { name: sink.name }),
    ...(sink.description === was.description ? {} : { description: sink.description }),
    ...(isDeepStrictEqual(sink.allowedSignals, was.allowedSignals) ? {} : { allowedSignals: sink.allowedSignals }),
    ...(obstacle === undefined ? mappingFields({ sink, was }, alter) : {}),
  };
  const plan = { object, action: changes.length === 0 ? 'unchanged' : 'change', changes } as const;
  return {
    plan: {
      ...plan,
      remarks: [...(sink.tableId === was.tableId ? [] : [`the table ${was.tableId} stays as it is`]), ...remarks],
      ...(obstacle === undefined ? {} : { obstacle }),
    },
    steps: [
      ...(Object.keys(fields).length === 0 ? [] : [{ kind: 'updateSink', object, fields } as const]),
      ...settingSteps(object, was.settings, sink.settings),
    ],
    switching: sink.disabled === was.disabled ? [] : [{ kind: sink.disabled ? 'disable' : 'enable', object }],
  };
}

function mappingFields({ sink, was }: SinkPair, alter: TableOutcome['alter']): SinkFields {
  return {
    ...(sink.tableId === was.tableId ? {} : { tableId: sink.tableId }),
    ...(isDeepStrictEqual(sink.columns, was.columns) ? {} : { columns: sink.columns }),
    ...(alter === undefined ? {} : { alter: true, ...(alter.renamed.length === 0 ? {} : alter) }),
  };
}

function namesOf({ columns }: SinkDeclaration): readonly string[] {
  return columns.map(({ name }) => name);
}

function settingSteps(object: SourceRef, before: SettingOverrides, after: SettingOverrides): readonly Step[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const settings: readonly SettingChange[] = keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => ({ key, value: after[key] ?? null }));
  return settings.length === 0 ? [] : [{ kind: 'settings', object, settings }];
}

function undeclaredPlan({ sourceId, sinkIds }: UndeclaredSource, { prune }: Pick<PlanOptions, 'prune'>): SourcePlan {
  const source = undeclaredObject({ sourceId }, { prune });
  const sinks = sinkIds.map((sinkId) => undeclaredObject({ sourceId, sinkId }, { prune }).plan);
  return { objects: [source.plan, ...sinks], steps: source.steps };
}

function undeclaredObject(object: SourceRef, { prune }: Pick<PlanOptions, 'prune'>): Part {
  return {
    plan: {
      object,
      action: prune ? 'delete' : 'undeclared',
      changes: [],
      remarks: prune ? [object.sinkId === undefined ? 'its senders are refused from then on' : 'its table stays'] : [],
    },
    steps: prune ? [{ kind: 'delete', object }] : [],
  };
}
