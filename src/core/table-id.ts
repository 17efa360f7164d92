import type { Brand } from './brand.ts';
import { limits } from './limits.ts';
import { MillraceError } from './millrace-error.ts';
import { shortened } from './shortened.ts';

/** `stage.bucket.table`, for example `in.c-shop.orders`. */
export type TableId = Brand<string, 'TableId'>;

export interface TableName {
  readonly stage: 'in' | 'out' | 'sys';
  readonly bucket: string;
  readonly table: string;
}

export const deadLetterTable = 'sys.c-millrace.dead_letters' as TableId;

const maxNameLength = limits.tableNameLength;

/** Three parts, stage `in`, `out` or `sys`, names of at most 96 characters; anything else is `input.invalid`. */
export function parseTableId(text: string): TableId {
  const given = shortened(text, 200);
  const fail = (reason: string): never => {
    throw new MillraceError('input.invalid', `Invalid "tableId" value "${given}": ${reason}`);
  };
  if (text === '') fail('table ID cannot be empty');
  const parts = text.split('.');
  if (parts.length !== 3)
    fail(`invalid table ID "${given}": unexpected number of fragments, must be "stage.bucket.table"`);
  const [stage = '', bucket = '', table = ''] = parts;
  if (!['in', 'out', 'sys'].includes(stage))
    fail(`invalid bucket ID "${shortened(`${stage}.${bucket}`, 200)}": unexpected stage "${shortened(stage, 20)}"`);
  for (const [name, value] of [
    ['bucket', bucket],
    ['table', table],
  ] as const) {
    if (value === '') fail(`the ${name} name cannot be empty`);
    if (value.length > maxNameLength) fail(`the ${name} name is longer than ${maxNameLength} characters`);
    if (!/^[\p{L}\p{N}_-]+$/u.test(value)) fail(`the ${name} name may hold letters, digits, "_" and "-" only`);
  }
  return text as TableId;
}

export function tableName(id: TableId): TableName {
  const [stage, bucket = '', table = ''] = id.split('.');
  return { stage: stage as TableName['stage'], bucket, table };
}

/** True for the tables that the product keeps for itself. Stores tell no letter case apart, so neither does this. */
export function isReservedTable(id: TableId): boolean {
  const [given, own] = [tableName(id), tableName(deadLetterTable)];
  return given.stage === own.stage && given.bucket.toLowerCase() === own.bucket;
}
