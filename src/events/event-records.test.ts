import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { isRun, listOf } from '../ports/event-log.ts';
import { createEventIds } from './event-id.ts';
import { eventRecords, identify, identifySpans } from './event-records.ts';
import { EventSpans } from './event-spans.ts';

const origin = { remoteAddress: '10.0.0.1', arrivedAt: 7, marks: ['m', '1'], headers: ['Host', 'h'] };
const newIds = () => createEventIds((words) => words.fill(0));

function spansOf(texts: readonly string[]): EventSpans {
  const spans = new EventSpans(Buffer.from(texts.map((text) => `${text}\n`).join('')));
  let at = 0;
  for (const { length } of texts) {
    spans.add(at, at + length);
    at += length + 1;
  }
  return spans;
}

test.each([[[]], [['a']], [['a', 'bcd', 'ef']]])(
  'events %j of a body become the records that they would become alone',
  (texts) => {
    const spans = spansOf(texts);
    const events = identifySpans(spans, 7, newIds());
    const records = eventRecords(events, origin);
    const alone = identify(
      texts.map((text) => Buffer.from(text)),
      7,
      newIds(),
    );
    const whole = (record: ReturnType<typeof listOf>[number]) => ({
      value: Buffer.from(record.value).toString(),
      headers: [...record.headers, ...(record.sharedHeaders ?? [])],
      timestamp: record.timestamp,
    });
    expect(listOf(records).map(whole)).toEqual(eventRecords(alone, origin).map(whole));
    expect([...events.ids]).toEqual(alone.ids);
    expect([events.ids.length, records.length]).toEqual([texts.length, texts.length]);
    expect([spans.bytes, spans.longest]).toEqual([
      texts.join('').length,
      Math.max(0, ...texts.map(({ length }) => length)),
    ]);
    const counted = isRun(records) ? [records.valueBytes, records.longestBytes] : [spans.bytes, spans.longest];
    expect(counted).toEqual([spans.bytes, spans.longest]);
  },
);
