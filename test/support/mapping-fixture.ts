import { Buffer } from 'node:buffer';
import type { Column, ColumnOf } from '../../src/core/column.ts';
import type { Refusal } from '../../src/core/dead-letter.ts';
import type { Signal } from '../../src/core/event.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import type { Mapping } from '../../src/core/mapping.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import { compileMapping } from '../../src/mapping/compile-mapping.ts';
import { eventOfRecord, type MappedEvent } from '../../src/mapping/event-of-record.ts';
import { LineWriter } from '../../src/mapping/line-writer.ts';
import { createTemplates } from '../../src/mapping/jsonnet-templates.ts';
import type { TemplateCompiler } from '../../src/mapping/template.ts';

export const eventId = '0192f3b4-7a3b-7c1d-9e2f-a1b2c3d4e5f6';
export const arrivedAt = Date.UTC(2006, 0, 2, 8, 4, 5, 7);

/** For texts that come from outside: quotes, control characters, other planes, halves of surrogate pairs. */
export const oddCharacters = [
  'a',
  'Z',
  '-',
  '"',
  ',',
  '<',
  '\0',
  '\r',
  '\n',
  'ü',
  '\u2028',
  '\ufeff',
  '😀',
  '\ud800',
  '\udc00',
];

export interface EventParts {
  readonly body?: string | Uint8Array;
  /** Content type; undefined sends none. */
  readonly type?: string | undefined;
  readonly headers?: readonly string[];
  readonly timestamp?: number;
}

/** An event as ingest writes it, JSON unless told otherwise. */
export function ingestedEvent(parts: EventParts = {}): MappedEvent {
  const type = 'type' in parts ? parts.type : 'application/json';
  const reserved = ['millrace-id', eventId, 'millrace-remote', '203.0.113.77'];
  const contentType = type === undefined ? [] : ['content-type', type];
  return recordEvent({ ...parts, headers: [...reserved, ...contentType, ...(parts.headers ?? [])] });
}

/** An event with exactly the given headers, as a plain producer writes it. */
export function recordEvent({ body = '{}', headers = [], timestamp = arrivedAt }: EventParts): MappedEvent {
  const value = typeof body === 'string' ? Buffer.from(body) : body;
  return eventOfRecord({ value, headers, timestamp }, { topic: 'source.1.shop', partition: 2, offset: 7 });
}

export function pathColumn(path: string, rest: Partial<ColumnOf<'path'>> = {}): ColumnOf<'path'> {
  return { type: 'path', name: `p:${path}`, path, rawString: false, ...rest };
}

export function mappingOf(columns: readonly Column[], allowedSignals: readonly Signal[] = []): Mapping {
  const tableId = parseTableId('in.c-shop.orders');
  return { incarnation: parseIncarnation(1), version: 1, tableId, columns, allowedSignals };
}

export type Mapped = { readonly cells: readonly string[]; readonly line: string } | { readonly refusal: Refusal };

/** Maps one event with a mapping of these columns; the cells come from an independent CSV reader. */
export function mapOnce(
  event: MappedEvent,
  columns: readonly Column[],
  templates: TemplateCompiler = createTemplates(),
): Mapped {
  const writer = new LineWriter(16);
  const result = compileMapping(mappingOf(columns), { templates }).mapEvent(event, writer);
  if (result.kind === 'dead') return { refusal: result.refusal };
  if (result.kind === 'filtered') throw new Error('a mapping without a filter filtered an event');
  const line = writer.line().toString();
  return { cells: csvCells(line), line };
}

/** The cells of one CSV line in which every cell is quoted; anything else is an error. */
export function csvCells(line: string): string[] {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] !== '"') throw new Error(`expected a quote at ${at} of ${line}`);
    let cell = '';
    for (at++; line[at] !== '"' || line[at + 1] === '"'; at++) {
      if (at >= line.length) throw new Error(`a cell does not end: ${line}`);
      if (line[at] === '"') at++;
      cell += line[at];
    }
    cells.push(cell);
    at++;
    if (line[at] === '\n' && at === line.length - 1) return cells;
    if (line[at] !== ',') throw new Error(`expected a comma or the line end at ${at} of ${line}`);
    at++;
  }
}
