import { z } from 'zod';
import { columnTypeNames, type ColumnField } from '../../core/column.ts';
import type { SinkDefinition } from '../../documents/version-document.ts';
import { signals } from '../../core/event.ts';
import { tableType, type Sink } from '../../core/sink.ts';
import { disabledSchema, stampSchema, stampView, versionSchema, versionView } from './stamp-view.ts';

const columnFields = {
  path: z.string().optional(),
  rawString: z.boolean().optional(),
  defaultValue: z.string().optional(),
  template: z.object({ language: z.literal('jsonnet'), content: z.string() }).optional(),
} satisfies Record<ColumnField, z.ZodType>;

/** A column with the fields that this release knows. */
export const columnSchema = z
  .object({ type: z.enum(columnTypeNames), name: z.string(), ...columnFields })
  .meta({ id: 'Column' });

/** What a user defines of a sink. */
export const sinkDefinitionSchema = z.object({
  type: z.literal('table'),
  name: z.string(),
  description: z.string(),
  allowedSignals: z.array(z.enum(signals)).optional(),
  table: z.object({
    type: z.literal(tableType),
    tableId: z.string(),
    mapping: z.object({ columns: z.array(columnSchema) }),
  }),
});

export const sinkSchema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    sinkId: z.string(),
    ...sinkDefinitionSchema.shape,
    version: versionSchema,
    created: stampSchema,
    deleted: stampSchema.optional(),
    disabled: disabledSchema.optional(),
  })
  .meta({ id: 'Sink' });

export type SinkView = z.input<typeof sinkSchema>;

/** A sink as the API shows it. */
export function sinkView(sink: Sink, projectId: number): SinkView {
  const { branchId, sourceId, sinkId, version, created, deleted, disabled } = sink;
  return {
    projectId,
    branchId,
    sourceId,
    sinkId,
    ...sinkDefinitionView(sink),
    version: versionView(version),
    created: stampView(created),
    ...(deleted === undefined ? {} : { deleted: stampView(deleted) }),
    ...(disabled === undefined ? {} : { disabled: { ...stampView(disabled), reason: disabled.reason } }),
  };
}

/** The part of a sink that a user defines. */
export function sinkDefinitionView(sink: Omit<SinkDefinition, 'settings'>): z.input<typeof sinkDefinitionSchema> {
  const { type, name, description, allowedSignals, table } = sink;
  const columns = table.columns.map((column) => columnSchema.parse(column));
  return {
    type,
    name,
    description,
    ...(allowedSignals.length === 0 ? {} : { allowedSignals: [...allowedSignals] }),
    table: { type: table.type, tableId: table.tableId, mapping: { columns: columns } },
  };
}
