import { isDeepStrictEqual } from 'node:util';
import type {
  ConfigurationDeclaration,
  ConfigurationRef,
  DeclaredPart,
  RowDeclaration,
  ScheduleDeclaration,
} from './configuration-declaration.ts';
import type { ConfigurationStep, PartFields } from './configuration-step.ts';
import { jsonText, leaves, type Json, type JsonObject } from './declared-json.ts';
import { filledSecrets, isHashed, type SecretSources } from './declared-secrets.ts';
import type { FieldChange } from './field-change.ts';
import type { ObjectPlan } from './plan.ts';

/** What a branch has. */
export interface InstalledConfigurations {
  /** Those that files declare. */
  readonly configurations: readonly ConfigurationDeclaration[];
  readonly undeclared: readonly ConfigurationRef[];
}

export interface ConfigurationPlanOptions extends Pick<SecretSources, 'environment'> {
  /** Delete what no file declares. */
  readonly prune: boolean;
  /** Take the secrets that are stored from the environment, too. */
  readonly setSecrets: boolean;
}

interface Part {
  readonly plan: ObjectPlan;
  readonly steps: readonly ConfigurationStep[];
}

/** Variables and shared code come before what names them. */
const order = ['variables', 'shared-code', 'generic-extractor'];

/** What makes the configurations of a branch as the files say: each before its rows, its schedule last, and deletions at the end. */
export function planConfigurations(
  declared: readonly ConfigurationDeclaration[],
  { configurations, undeclared }: InstalledConfigurations,
  options: ConfigurationPlanOptions,
): { readonly objects: readonly ObjectPlan[]; readonly steps: readonly ConfigurationStep[] } {
  const sorted = declared.toSorted((one, other) => rankOf(one) - rankOf(other));
  const parts = sorted.flatMap((configuration) => {
    const { componentId, configurationId } = configuration;
    const before = configurations.find(
      (one) => one.componentId === componentId && one.configurationId === configurationId,
    );
    return partsOf(configuration, before, options);
  });
  const others = undeclared.map((object) => undeclaredPart(object, options, 'it can be restored, and runs no more'));
  const all = [...parts, ...others];
  const steps = all.flatMap((part) => part.steps);
  return {
    objects: all.map(({ plan }) => plan),
    steps: [...steps.filter(({ kind }) => kind !== 'deletePart'), ...steps.filter(({ kind }) => kind === 'deletePart')],
  };
}

function rankOf({ componentId }: ConfigurationRef): number {
  return order.indexOf(componentId);
}

function partsOf(
  after: ConfigurationDeclaration,
  before: ConfigurationDeclaration | undefined,
  options: ConfigurationPlanOptions,
): readonly Part[] {
  const { componentId, configurationId } = after;
  const object: ConfigurationRef = { componentId, configurationId };
  const own = partOf({ object, after, before, kinds: ['createConfiguration', 'updateConfiguration'] }, options);
  // Without the configuration there is nothing to put into it.
  const isMissing = before === undefined && own.steps.length === 0;
  const rows = after.rows.map((row) => {
    const was = before?.rows.find(({ rowId }) => rowId === row.rowId);
    const place = { ...object, rowId: row.rowId };
    const part = partOf({ object: place, after: row, before: was, kinds: ['createRow', 'updateRow'] }, options);
    return isMissing ? { ...part, steps: [] } : part;
  });
  const ids = new Set(after.rows.map(({ rowId }) => rowId));
  const goneRows = (before?.rows ?? [])
    .filter(({ rowId }) => !ids.has(rowId))
    .map(({ rowId }) => undeclaredPart({ ...object, rowId }, options, '"config rollback" has it in versions before'));
  const ordering = orderOf(object, { after: after.rows, before: before?.rows ?? [] });
  const schedule = isMissing ? [] : schedulePart(object, { after: after.schedule, before: before?.schedule }, options);
  return [own, ...rows, ...goneRows, ...(isMissing ? [] : ordering), ...schedule];
}

interface PartPair {
  readonly object: ConfigurationRef;
  readonly after: DeclaredPart;
  readonly before: DeclaredPart | undefined;
  readonly kinds: readonly ['createConfiguration', 'updateConfiguration'] | readonly ['createRow', 'updateRow'];
}

function partOf({ object, after, before, kinds }: PartPair, options: ConfigurationPlanOptions): Part {
  const secrets = { before: before?.configuration, environment: options.environment, anew: options.setSecrets };
  const { configuration, shown, missing } = filledSecrets(after.configuration, secrets);
  const { name, description, disabled } = after;
  const wanted = { name, description, disabled, configuration };
  const changes = changesOf(before, { ...wanted, configuration: shown });
  const action = before === undefined ? 'create' : changes.length === 0 ? 'unchanged' : 'change';
  const plan: ObjectPlan = { object, action, changes, remarks: [] };
  if (missing.length > 0) return { plan: { ...plan, obstacle: missing.join('; ') }, steps: [] };
  if (before === undefined) return { plan, steps: [{ kind: kinds[0], object, fields: wanted }] };
  const fields: PartFields = {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description }),
    ...(disabled === before.disabled ? {} : { disabled }),
    ...(isDeepStrictEqual(shown, before.configuration) ? {} : { configuration }),
  };
  return { plan, steps: changes.length === 0 ? [] : [{ kind: kinds[1], object, fields }] };
}

function changesOf(before: DeclaredPart | undefined, after: DeclaredPart): readonly FieldChange[] {
  return differences(before === undefined ? undefined : fieldsOf(before), fieldsOf(after));
}

type Fields = ReadonlyMap<string, Json>;

/** Each field that differs; of what is new those that do not go without saying. */
function differences(was: Fields | undefined, is: Fields): readonly FieldChange[] {
  return [...new Set([...(was?.keys() ?? []), ...is.keys()])]
    .filter((field) => !isDeepStrictEqual(was?.get(field), is.get(field)))
    .filter((field) => was !== undefined || !isSaid(is.get(field)))
    .map((field) => ({ field, ...shownAs('from', field, was?.get(field)), ...shownAs('to', field, is.get(field)) }));
}

/** What goes without saying of what is new. */
function isSaid(value: Json | undefined): boolean {
  return (
    value === '' || value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}

function fieldsOf({ name, description, disabled, configuration }: DeclaredPart): ReadonlyMap<string, Json> {
  const own: readonly (readonly [string, Json])[] = [
    ['name', name],
    ['description', description],
    ['disabled', disabled],
  ];
  return new Map([...own, ...leaves(configuration, 'configuration')]);
}

function shownAs(side: 'from' | 'to', field: string, value: Json | undefined): Partial<FieldChange> {
  if (value === undefined) return {};
  const isSecret = isHashed(
    field
      .replace(/(?:\[\d+\])+$/, '')
      .split('.')
      .at(-1) ?? '',
  );
  // What the environment gives is named already; what is stored is a ciphertext, which tells nobody anything.
  if (isSecret && side === 'from') return { from: '(secret)' };
  const shown = typeof value === 'string' || typeof value === 'boolean' ? value : jsonText(value);
  return side === 'from' ? { from: shown } : { to: shown };
}

function orderOf(
  object: ConfigurationRef,
  { after, before }: { readonly after: readonly RowDeclaration[]; readonly before: readonly RowDeclaration[] },
): readonly Part[] {
  const wanted = after.map(({ rowId }) => rowId);
  const kept = before.map(({ rowId }) => rowId).filter((id) => !wanted.includes(id));
  // As they stand when all are made: those that were there first.
  const stands = [
    ...before.map(({ rowId }) => rowId),
    ...wanted.filter((id) => !before.some(({ rowId }) => rowId === id)),
  ];
  const isOrdered = isDeepStrictEqual(
    stands.filter((id) => wanted.includes(id)),
    wanted,
  );
  if (isOrdered) return [];
  const rowIds = [...wanted, ...kept];
  const change: FieldChange = { field: 'order of rows', from: stands.filter((id) => wanted.includes(id)), to: wanted };
  const plan: ObjectPlan = { object, action: 'change', changes: [change], remarks: [] };
  return [{ plan, steps: [{ kind: 'orderRows', object, rowIds }] }];
}

interface SchedulePair {
  readonly after: ScheduleDeclaration | undefined;
  readonly before: ScheduleDeclaration | undefined;
}

function schedulePart(
  ref: ConfigurationRef,
  { after, before }: SchedulePair,
  options: ConfigurationPlanOptions,
): readonly Part[] {
  const object: ConfigurationRef = { ...ref, part: 'schedule' };
  if (after === undefined)
    return before === undefined ? [] : [undeclaredPart(object, options, 'it is run by hand alone')];
  const changes = differences(before === undefined ? undefined : scheduleFields(before), scheduleFields(after));
  const action = before === undefined ? 'create' : changes.length === 0 ? 'unchanged' : 'change';
  const steps: readonly ConfigurationStep[] =
    action === 'unchanged' ? [] : [{ kind: 'setSchedule', object, schedule: after }];
  return [{ plan: { object, action, changes, remarks: [] }, steps }];
}

function scheduleFields({ values, valuesId, ...own }: ScheduleDeclaration): ReadonlyMap<string, Json> {
  const given: JsonObject = { ...own, values, ...(valuesId === undefined ? {} : { valuesId }) };
  return leaves(given, '');
}

function undeclaredPart(
  object: ConfigurationRef,
  { prune }: Pick<ConfigurationPlanOptions, 'prune'>,
  remark: string,
): Part {
  return {
    plan: { object, action: prune ? 'delete' : 'undeclared', changes: [], remarks: prune ? [remark] : [] },
    steps: prune ? [{ kind: 'deletePart', object }] : [],
  };
}
