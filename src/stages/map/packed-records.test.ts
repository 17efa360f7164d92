import { describe, expect, it } from 'vitest';
import { logsRequest } from '../../../test/support/otlp-messages.ts';
import { csvCells, mappingOf, pathColumn } from '../../../test/support/mapping-fixture.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import type { Column } from '../../core/column.ts';
import type { Signal } from '../../core/event.ts';
import { limits } from '../../core/limits.ts';
import { unpackOtlp } from '../../events/unpack-otlp.ts';
import { compileMapping } from '../../mapping/compile-mapping.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import type { RecordBatch } from '../../ports/event-log.ts';
import { BatchEvents, type MappedSink } from './batch-events.ts';
import type { Mapped } from './map-batch.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

interface Wanted {
  readonly columns?: readonly Column[];
  readonly signals?: readonly Signal[];
  readonly maxLineBytes?: number;
}

const bodyPath = pathColumn('body', { rawString: true });
const id: Column = { type: 'uuid', name: 'id' };
/** Refuses every other record, by its number. */
const everyOther = template('odd', 'if std.parseInt(Body("body")) % 2 == 0 then error "even" else "odd"');

function template(name: string, content: string): Column {
  return { type: 'template', name, rawString: true, template: { language: 'jsonnet', content } };
}

/** What a sink makes of a record at offset 7 that a Collector wrote. */
function mapped(value: Uint8Array, { columns = [bodyPath], signals, maxLineBytes = 1024 ** 2 }: Wanted = {}): Mapped {
  const record = placedRecord({ value, headers: ['millrace-signal', 'logs'], timestamp: 5 }, 7);
  const batch: RecordBatch = {
    topic: 'source.1.shop',
    identity: 'a',
    partition: 0,
    records: [record],
    first: 0,
    next: 8,
    missing: 'none',
  };
  const compiled = compileMapping(mappingOf(columns, signals), { templates: createTemplates() });
  const sink: MappedSink = { progress: progressOf(0), compiled, maxLineBytes };
  return new BatchEvents(batch, { lines: new LineWriter(), decode: unpackOtlp }).map(0, sink);
}

/** The cells of each line. */
function cells(lines: Uint8Array): readonly (readonly string[])[] {
  const texts = Buffer.from(lines).toString().split('\n').slice(0, -1);
  return texts.map((line) => csvCells(`${line}\n`));
}

describe('A53: a record that holds several events', () => {
  it('becomes one outcome with a row of each, in their order', () => {
    const outcome = mapped(logsRequest(3));
    expect(outcome).toMatchObject({ kind: 'packed', arrivedAt: 5, rows: 3, dead: 0, filtered: 0 });
    expect(outcome.kind === 'packed' && cells(outcome.rowLines)).toEqual([['0'], ['1'], ['2']]);
  });

  it('D3: gives each event an id of its own, the same each time', () => {
    const ids = (): readonly string[] => {
      const outcome = mapped(logsRequest(3), { columns: [id] });
      return outcome.kind === 'packed' ? cells(outcome.rowLines).flat() : [];
    };
    expect(new Set(ids()).size).toBe(3);
    expect(ids()).toEqual(ids());
  });

  it('D2: an event that the mapping refuses is a dead letter alone', () => {
    const outcome = mapped(logsRequest(5), { columns: [bodyPath, everyOther] });
    expect(outcome).toMatchObject({ kind: 'packed', rows: 2, dead: 3, filtered: 0 });
    if (outcome.kind !== 'packed') return;
    expect(cells(outcome.rowLines)).toEqual([
      ['1', 'odd'],
      ['3', 'odd'],
    ]);
    const letters = cells(outcome.deadLines).map((letter) => {
      const body = Buffer.from(letter.at(-1) ?? '', 'base64').toString();
      return { offset: letter[4], body: (JSON.parse(body) as { readonly body: unknown }).body };
    });
    expect(letters).toEqual(['0', '2', '4'].map((body) => ({ offset: '7', body })));
  });

  it('D4: counts each event that the sink does not want', () => {
    const none = { rows: 0, dead: 0, rowLines: Buffer.of(), deadLines: Buffer.of() };
    expect(mapped(logsRequest(4), { signals: ['traces'] })).toMatchObject({ kind: 'packed', filtered: 4, ...none });
  });

  it('is an outcome like any other when it holds one event, or none', () => {
    expect(mapped(logsRequest(1))).toMatchObject({ kind: 'row' });
    expect(mapped(logsRequest(1), { columns: [bodyPath, everyOther] })).toMatchObject({ kind: 'dead' });
    expect(mapped(logsRequest(0))).toEqual({ kind: 'filtered' });
  });

  it('is a dead letter whole when nothing can be read of it', () => {
    const outcome = mapped(Buffer.of(255));
    expect(outcome).toMatchObject({ kind: 'dead' });
    expect(outcome.kind === 'dead' && cells(outcome.line)[0]).toEqual(
      expect.arrayContaining(['undecodable', expect.stringContaining('it is no OTLP logs'), '/w==']),
    );
  });

  it('D8: is a dead letter whole when its rows are too much for one record of the topic', () => {
    const outcome = mapped(logsRequest(3000, { body: 'x'.repeat(100) }), { maxLineBytes: 300_000 });
    expect(outcome).toMatchObject({ kind: 'dead' });
    const message = 'the record holds 3000 events, whose rows take more than the 300000 bytes';
    expect(outcome.kind === 'dead' && cells(outcome.line)[0]).toEqual(
      expect.arrayContaining(['rowTooLarge', expect.stringContaining(message)]),
    );
  });

  it('D8: its templates have the steps of some rows together', () => {
    const content = 'std.length([n for n in std.range(1, 100000)])';
    const outcome = mapped(logsRequest(20 * limits.stepsOfRecord), { columns: [template('costly', content)] });
    if (outcome.kind !== 'packed') throw new Error(outcome.kind);
    expect(outcome.rows).toBeGreaterThanOrEqual(limits.stepsOfRecord);
    expect(outcome.dead).toBeGreaterThan(0);
    expect(cells(outcome.deadLines).at(-1)).toContain('templateLimit');
  });
});
