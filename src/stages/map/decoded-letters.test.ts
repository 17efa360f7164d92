import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { csvCells, mappingOf, pathColumn } from '../../../test/support/mapping-fixture.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { deadLetterColumns, type DeadLetterCells } from '../../core/dead-letter.ts';
import type { Column } from '../../core/column.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { remapLetters } from '../../mapping/remap-letters.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import type { Decoded } from '../../ports/schema-registry.ts';
import { BatchEvents } from './batch-events.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

const value = Uint8Array.of(0, 0, 0, 0, 7, 42);
const headers = ['content-type', 'application/avro', 'X-Own', 'a'];
const id: Column = { type: 'uuid', name: 'id' };
const own: Column = { type: 'headers', name: 'headers' };
const broken = [id, pathColumn('missing')];
const mended = [id, pathColumn('n'), own, { type: 'body', name: 'body' } as const];

function compiled(columns: readonly Column[]) {
  return compileMapping(mappingOf(columns), { templates: createTemplates() });
}

/** The line that a mapping makes of a record at offset 7, which a registry decodes so. */
function mapped(decoded: Decoded, columns: readonly Column[]) {
  const records = [placedRecord({ value, headers, timestamp: 5 }, 7)];
  const place = { topic: 'source.1.shop', identity: 'a', partition: 3 };
  const batch: RecordBatch = { ...place, records, first: 0, next: 8, missing: 'none' };
  const sink = { progress: progressOf(0), compiled: compiled(columns), maxLineBytes: 1024 ** 2 };
  const outcome = new BatchEvents(batch, { lines: new LineWriter(), decode: () => decoded }).map(0, sink);
  if (outcome.kind !== 'row' && outcome.kind !== 'dead') throw new Error(`it is ${outcome.kind}`);
  return { kind: outcome.kind, line: Buffer.from(outcome.line).toString() };
}

function letterOf(line: string): DeadLetterCells {
  const cells = csvCells(line);
  return Object.fromEntries(deadLetterColumns.map((column, at) => [column, cells[at] ?? ''])) as DeadLetterCells;
}

test('D7: what a schema decoded is mapped again from its dead letter, which has the JSON, to the row that it would have been', () => {
  const decoded = { kind: 'json', text: Buffer.from('{"n":"ü","m":null}') } as const;
  const dead = mapped(decoded, broken);
  expect(dead.kind).toBe('dead');
  const letter = letterOf(dead.line);
  expect(Buffer.from(letter.body, 'base64').toString()).toBe('{"n":"ü","m":null}');
  const { outcomes, rows } = remapLetters([letter], compiled(mended), () => false);
  expect(outcomes).toEqual(['row']);
  expect(Buffer.from(rows).toString()).toBe(mapped(decoded, mended).line);
});

test('D7: what could not be decoded keeps its bytes, and is not mapped again', () => {
  const dead = mapped({ kind: 'undecodable', problem: 'schema 7: its bytes end' }, mended);
  const letter = letterOf(dead.line);
  expect([letter.reason, letter.body]).toEqual(['undecodable', Buffer.from(value).toString('base64')]);
  expect(remapLetters([letter], compiled(mended), () => false).outcomes).toEqual(['partial']);
});
