import { isDeepStrictEqual } from 'node:util';
import type { SettingOverrides } from '../../core/source.ts';
import type { SettingChange } from '../client.ts';
import type { DeclaredSource, ObjectRef, SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { sinkChanges, sinkContent, sourceChanges, sourceContent } from './field-change.ts';
import type { ObjectPlan, Plan, Step } from './plan.ts';

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
}

export interface PlanOptions {
  /** Delete what no file declares. */
  readonly prune: boolean;
}

/**
 * What makes the branch as the files say. A source is made and changed before its sinks, and enabled or disabled so that
 * no sink takes events in a form that the files do not name; deletions come last.
 */
export function makePlan(declared: readonly DeclaredSource[], installed: Installed, options: PlanOptions): Plan {
  const there = new Map(installed.sources.map((source) => [source.sourceId, source]));
  const parts = declared.map((source) => ({
    sourceId: source.sourceId,
    ...sourcePlan(source, there.get(source.sourceId), options),
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

function sourcePlan(source: DeclaredSource, before: SourceDeclaration | undefined, options: PlanOptions): Plan {
  const object = { sourceId: source.sourceId };
  const own = before === undefined ? newSource(source) : changedSource(source, before);
  const sinks = source.sinks.map((sink) => {
    const was = before?.sinks.find(({ sinkId }) => sinkId === sink.sinkId);
    // A sink of a disabled source cannot be switched by itself, and takes no events either way.
    const waits = source.disabled && before?.disabled === true && sink.disabled !== (was?.disabled ?? false);
    const possible = waits ? { ...sink, disabled: !sink.disabled } : sink;
    const part = was === undefined ? newSink(object, possible) : changedSink(object, { sink: possible, was });
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
    plan: { object, action: changes.length === 0 ? 'unchanged' : 'change', changes, remarks },
    steps: [
      ...(Object.keys(fields).length === 0 ? [] : [{ kind: 'updateSource', object, fields } as const]),
      ...settingSteps(object, before.settings, source.settings),
    ],
  };
}

function newSink({ sourceId }: ObjectRef, sink: SinkDeclaration): SinkPart {
  const object = { sourceId, sinkId: sink.sinkId };
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

function changedSink({ sourceId }: ObjectRef, { sink, was }: SinkPair): SinkPart {
  const object = { sourceId, sinkId: sink.sinkId };
  const changes = sinkChanges(was, sink);
  const fields = {
    ...(sink.name === was.name ? {} : { name: sink.name }),
    ...(sink.description === was.description ? {} : { description: sink.description }),
    ...(isDeepStrictEqual(sink.allowedSignals, was.allowedSignals) ? {} : { allowedSignals: sink.allowedSignals }),
    ...(sink.tableId === was.tableId ? {} : { tableId: sink.tableId }),
    ...(isDeepStrictEqual(sink.columns, was.columns) ? {} : { columns: sink.columns }),
  };
  return {
    plan: { object, action: changes.length === 0 ? 'unchanged' : 'change', changes, remarks: tableRemarks(sink, was) },
    steps: [
      ...(Object.keys(fields).length === 0 ? [] : [{ kind: 'updateSink', object, fields } as const]),
      ...settingSteps(object, was.settings, sink.settings),
    ],
    switching: sink.disabled === was.disabled ? [] : [{ kind: sink.disabled ? 'disable' : 'enable', object }],
  };
}

function tableRemarks(sink: SinkDeclaration, was: SinkDeclaration): readonly string[] {
  if (sink.tableId !== was.tableId) return [`the table ${was.tableId} stays as it is`];
  const names = ({ columns }: SinkDeclaration): readonly string[] => columns.map(({ name }) => name);
  if (isDeepStrictEqual(names(sink), names(was))) return [];
  return [`it will fail unless ${sink.tableId} has exactly these columns by now; another table is made for them`];
}

function settingSteps(object: ObjectRef, before: SettingOverrides, after: SettingOverrides): readonly Step[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const settings: readonly SettingChange[] = keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => ({ key, value: after[key] ?? null }));
  return settings.length === 0 ? [] : [{ kind: 'settings', object, settings }];
}

function undeclaredPlan({ sourceId, sinkIds }: UndeclaredSource, { prune }: PlanOptions): Plan {
  const source = undeclaredObject({ sourceId }, { prune });
  const sinks = sinkIds.map((sinkId) => undeclaredObject({ sourceId, sinkId }, { prune }).plan);
  return { objects: [source.plan, ...sinks], steps: source.steps };
}

function undeclaredObject(object: ObjectRef, { prune }: PlanOptions): Part {
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
