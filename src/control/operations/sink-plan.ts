import { backfillRule, parseBackfill, type Backfill } from '../../core/backfill.ts';
import { columnOf, type Column } from '../../core/column.ts';
import type { Signal } from '../../core/event.ts';
import type { SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { isReservedTable, parseTableId, type TableId } from '../../core/table-id.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { shortened } from '../../core/shortened.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Trials } from '../trials/trials.ts';
import type { SinkInput } from './sink-input.ts';

/** What a sink makes of events, checked as far as a request can. */
export interface SinkMapping {
  readonly tableId: TableId;
  readonly columns: readonly Column[];
  readonly allowedSignals: readonly Signal[];
}

/** A sink to be made. */
export interface SinkPlan extends SinkMapping {
  readonly key: SinkKey;
  readonly name: string;
  readonly description: string;
  readonly backfill: Backfill;
}

/** Checks what is asked for beyond its shape, in the order of the reference; `input.invalid` names what is wrong. */
export async function planSink(
  { key, input, trials }: { readonly key: SinkKey; readonly input: SinkInput; readonly trials: Trials },
  options: Waiting,
): Promise<SinkPlan> {
  const { table } = input;
  if (table === undefined)
    throw new MillraceError('input.invalid', '"table" must be configured for the "table" sink type');
  const mapping = await checkMapping(
    {
      tableId: table.tableId,
      columns: table.mapping.columns.map(columnOf),
      allowedSignals: input.allowedSignals ?? [],
    },
    trials,
    options,
  );
  return {
    ...mapping,
    key,
    name: input.name,
    description: input.description ?? '',
    backfill: backfillOf(input.backfill ?? 'latest'),
  };
}

function backfillOf(text: string): Backfill {
  const backfill = parseBackfill(text);
  if (backfill !== undefined) return backfill;
  throw new MillraceError('input.invalid', `invalid "backfill" value "${shortened(text, 50)}": ${backfillRule}`);
}

/** What a sink is asked to map to. */
export interface WantedMapping {
  readonly tableId: string;
  readonly columns: readonly Column[];
  readonly allowedSignals: readonly Signal[];
}

/** Checks columns and table id; `input.invalid` names the column or the table. */
export async function checkMapping(given: WantedMapping, trials: Trials, options: Waiting): Promise<SinkMapping> {
  const { columns, allowedSignals } = given;
  checkNames(columns);
  const tableId = given.tableId as TableId;
  await trials.check({ incarnation: parseIncarnation(1), version: 1, tableId, columns, allowedSignals }, options);
  return knownMapping(given);
}

/** The same for columns that were checked before. */
export function knownMapping({ tableId, columns, allowedSignals }: WantedMapping): SinkMapping {
  const parsed = parseTableId(tableId);
  if (isReservedTable(parsed))
    throw new MillraceError(
      'input.invalid',
      `invalid "tableId" value "${tableId}": the bucket is kept for dead letters`,
    );
  return { tableId: parsed, columns, allowedSignals: [...new Set(allowedSignals)] };
}

function checkNames(columns: readonly Column[]): void {
  const seen = new Map<string, string>();
  for (const [index, { name }] of columns.entries()) {
    const where = `body.table.mapping.columns[${index}].name`;
    if (name === '')
      throw new MillraceError('input.invalid', `value of ${where} must not be empty: every column needs a name`);
    if (name.length > limits.columnNameLength)
      throw new MillraceError(
        'input.invalid',
        `length of ${where} must be lesser or equal than ${limits.columnNameLength} but got value "${name}" (len=${name.length})`,
      );
    if (/[\p{Cc}\p{Cs}]/u.test(name) || !name.isWellFormed())
      throw new MillraceError('input.invalid', `value of ${where} must not hold control characters`);
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined)
      throw new MillraceError(
        'input.invalid',
        `column "${name}" is defined twice: names of columns are unique within the mapping${twin === name ? '' : `, also without regard to case ("${twin}")`}`,
      );
    seen.set(name.toLowerCase(), name);
  }
}
