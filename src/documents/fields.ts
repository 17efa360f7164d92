import { z } from 'zod';
import { parseChecksum, type Checksum } from '../core/checksum.ts';
import { columnSchemaOf } from '../core/column-schema.ts';
import { signals } from '../core/event.ts';
import type { BranchId, Incarnation, SinkId, SourceId } from '../core/ids.ts';
import type { InstallationId } from '../core/installation-id.ts';
import type { SettingValue } from '../core/settings/setting.ts';
import type { Deleted, Disabled, Stamp, Version } from '../core/source.ts';
import type { TableId } from '../core/table-id.ts';

/** A schema for each field of a part of a document, so that the compiler names one that is missing: loose objects let it pass. */
export type FieldsOf<Part> = { readonly [Field in keyof Part]-?: z.ZodType };

/** A schema whose output is a brand of its own base. */
function branded<Id extends string | number>(schema: z.ZodType<string> | z.ZodType<number>): z.ZodType<Id> {
  return schema as unknown as z.ZodType<Id>;
}

export const positive = z.int().min(1);
export const count = z.int().min(0);
export const text = z.string();
export const name = z.string().min(1);
/** The number of a partition, as the key of a record. */
export const partitionKey = z.string().regex(/^(0|[1-9]\d*)$/);

export const branchId = branded<BranchId>(positive);
export const sourceId = branded<SourceId>(name);
export const sinkId = branded<SinkId>(name);
export const incarnation = branded<Incarnation>(positive);
export const tableId = branded<TableId>(name);
export const installationId = branded<InstallationId>(z.guid());
export const checksum = branded<Checksum>(text.refine((value) => parseChecksum(value) !== undefined));

export const by = z.looseObject({
  type: z.enum(['user', 'system']),
  tokenId: text.exactOptional(),
  tokenDesc: text.exactOptional(),
});

export const stamp: z.ZodType<Stamp> = z.looseObject({ at: name, by } satisfies FieldsOf<Stamp>);
export const disabled: z.ZodType<Disabled> = z.looseObject({
  at: name,
  by,
  reason: text,
  withSource: z.boolean(),
} satisfies FieldsOf<Disabled>);
export const deleted: z.ZodType<Deleted> = z.looseObject({
  at: name,
  by,
  withSource: z.boolean(),
  sourceIncarnation: positive.exactOptional(),
} satisfies FieldsOf<Deleted>);
export const version: z.ZodType<Version> = z.looseObject({
  at: name,
  by,
  number: positive,
  hash: text,
  description: text,
} satisfies FieldsOf<Version>);

const settingValue: z.ZodType<SettingValue> = z.union([text, z.number(), z.boolean(), z.array(text)]);
export const settings = z.record(z.string(), settingValue);

export const signal = z.enum(signals);

export const column = columnSchemaOf({
  name: text,
  fields: {
    path: text,
    rawString: z.boolean(),
    defaultValue: text,
    template: z.looseObject({ language: z.literal('jsonnet'), content: text }),
  },
  object: (shape) => z.looseObject(shape),
});
