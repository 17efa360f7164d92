import { z } from 'zod';
import { signals } from '../../core/event.ts';
import type { Column } from '../../core/column.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseSettingsPatch } from '../../core/settings/parse-settings.ts';
import type { SettingLevel } from '../../core/settings/setting.ts';
import { sourceTypes, type SettingOverrides } from '../../core/source.ts';
import { isReservedTable, parseTableId } from '../../core/table-id.ts';
import { configurationsSchema } from './configuration-schema.ts';
import type { DeclaredSource, SinkDeclaration } from './declaration.ts';
import { columnSchema, type DeclaredColumn } from './declared-column.ts';
import { boundedText } from './declared-text.ts';

const name = boundedText({ min: 1, max: limits.nameLength }).optional();
const description = boundedText({ min: 0, max: limits.descriptionLength }).default('');
const disabled = z.boolean().default(false);

const table = z.string().superRefine((text, context) => {
  try {
    if (isReservedTable(parseTableId(text))) context.addIssue('the bucket is kept for dead letters');
  } catch (thrown) {
    context.addIssue(MillraceError.fromUnknown(thrown).message);
  }
});

/** Names of columns are unique without regard to case. */
const columns = z
  .array(columnSchema)
  .min(1, 'must hold at least one column')
  .max(limits.columnsPerMapping, `must hold at most ${limits.columnsPerMapping} columns`)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [index, column] of all.entries()) {
      const key = column.name.toLowerCase();
      if (seen.has(key))
        context.addIssue({ code: 'custom', path: [index], message: `column "${column.name}" is there twice` });
      seen.add(key);
    }
    for (const [index, fault] of renameFaults(all)) context.addIssue({ code: 'custom', path: [index], message: fault });
  });

/** What no table can do at once, by the number of the column: the first name has to be free. */
function renameFaults(all: readonly DeclaredColumn[]): readonly (readonly [number, string])[] {
  return [...all.entries()].flatMap(([index, { name: to, renamedFrom }]) => {
    if (renamedFrom === undefined) return [];
    const fault = (text: string) => [[index, `"renamedFrom" of column "${to}": ${text}`] as const];
    if (renamedFrom === to) return fault('is its own name');
    const twice = all.find((other) => other.name !== to && other.renamedFrom === renamedFrom);
    if (twice !== undefined) return fault(`column "${twice.name}" is renamed from "${renamedFrom}", too`);
    const still = all.find((other) => other.name === renamedFrom);
    if (still === undefined) return [];
    return still.renamedFrom === undefined
      ? fault(`the file still has a column "${renamedFrom}"; leave one of them out`)
      : fault(`"${renamedFrom}" is renamed itself; rename one after the other, with an apply for each`);
  });
}

/** Overrides by key, checked as a PATCH is; null stands for no override. */
function settings(level: SettingLevel) {
  return z.record(z.string(), z.unknown()).transform((given, context): SettingOverrides => {
    const entries = Object.entries(given).filter(([, value]) => value !== null);
    const overrides: [string, SettingOverrides[string]][] = [];
    for (const [key, value] of entries) {
      const { problems, overrides: parsed } = parseSettingsPatch([{ key, value }], level);
      for (const { message } of problems) context.addIssue({ code: 'custom', path: [key], message });
      const canonical = parsed[key];
      if (canonical !== undefined && canonical !== null) overrides.push([key, canonical]);
    }
    return Object.fromEntries(overrides.toSorted(byFirst));
  });
}

function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** A key with nothing after it holds nothing. */
function emptyWhenNull<Schema extends z.ZodType>(schema: Schema, empty: unknown) {
  return z.preprocess((value) => value ?? empty, schema);
}

const sink = z.strictObject({
  name,
  description,
  disabled,
  table,
  allowedSignals: z
    .array(z.enum(signals))
    .default([])
    .transform((given) => signals.filter((signal) => given.includes(signal))),
  columns,
  settings: emptyWhenNull(settings('sink'), {}),
});

const source = z.strictObject({
  type: z.enum(sourceTypes).default('http'),
  name,
  description,
  disabled,
  partitions: z.int().min(1).max(limits.partitions).exactOptional(),
  settings: emptyWhenNull(settings('source'), {}),
  sinks: emptyWhenNull(z.record(z.string(), sink), {}),
});

/** One document of a file. */
export const declarationSchema = z.strictObject({
  sources: z.record(z.string(), source).optional(),
  configurations: configurationsSchema.optional(),
});

/** The sources of a checked document, by id; what the document does not say has its default, a name is the id. */
export function declarationsOf({ sources = {} }: z.output<typeof declarationSchema>): readonly DeclaredSource[] {
  return Object.entries(sources)
    .toSorted(byFirst)
    .map(([sourceId, { sinks, name: given, ...rest }]) => ({
      sourceId,
      ...rest,
      name: given ?? sourceId,
      sinks: Object.entries(sinks)
        .toSorted(byFirst)
        .map(([sinkId, { table: tableId, name: sinkName, columns: all, ...sinkRest }]): SinkDeclaration => ({
          sinkId,
          ...sinkRest,
          name: sinkName ?? sinkId,
          tableId,
          ...splitRenames(all),
        })),
    }));
}

function splitRenames(all: readonly DeclaredColumn[]): Pick<SinkDeclaration, 'columns' | 'renamed'> {
  const renamed = all.flatMap(({ name: to, renamedFrom: from }) => (from === undefined ? [] : [{ from, to }]));
  const plain = all.map(({ renamedFrom: _, ...column }): Column => column);
  return { columns: plain, ...(renamed.length === 0 ? {} : { renamed }) };
}
