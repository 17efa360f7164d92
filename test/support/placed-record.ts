import type { LogRecord, NewRecord } from '../../src/ports/event-log.ts';

/** A record as a log gives it, whose value stands between other bytes. */
export function placedRecord(
  { value, headers, timestamp }: Pick<NewRecord, 'value' | 'headers' | 'timestamp'>,
  offset: number,
): LogRecord {
  const around = Buffer.alloc(7, '#');
  const memory = Buffer.concat([around, value, around]);
  const [valueStart, valueEnd] = [around.length, around.length + value.length];
  return { offset, headers, timestamp, value: memory.subarray(valueStart, valueEnd), memory, valueStart, valueEnd };
}
